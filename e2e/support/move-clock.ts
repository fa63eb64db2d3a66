/** Lets hours pass by the clock of a sandbox. */
export async function moveClock(sandboxUrl: string, hours: number): Promise<void> {
  const response = await fetch(`${sandboxUrl}/phone/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hours }),
  })
  if (!response.ok) throw new Error(`The clock stands: ${await response.text()}`)
}

/** What the clock of a sandbox shows, in milliseconds. */
export async function readClock(sandboxUrl: string): Promise<number> {
  const response = await fetch(`${sandboxUrl}/phone/clock`)
  const { now }: { now: string } = await response.json()
  return Date.parse(now)
}

import { Session } from 'node:inspector/promises'

/** What of Node runs where a key is made out of text or bytes; the last one where a text is taken as a key. */
const READERS: ReadonlySet<string> = new Set([
  'createPublicKey',
  'createPrivateKey',
  'createSecretKey',
  'X509Certificate',
  'isStringOrBuffer',
])

/** Does it, and counts with the engine's own counters how often a key was read meanwhile. */
export async function readingsOfKeys<Result>(act: () => Promise<Result>) {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    const result = await act()
    return { result, readings: await readingsSoFar(session) }
  } finally {
    session.disconnect()
  }
}

async function readingsSoFar(session: Session): Promise<number> {
  const { result: scripts } = await session.post('Profiler.takePreciseCoverage')
  return scripts
    .filter(({ url }) => url.startsWith('node:internal/crypto/'))
    .flatMap(({ functions }) => functions)
    .filter(({ functionName }) => READERS.has(functionName))
    .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0)
}

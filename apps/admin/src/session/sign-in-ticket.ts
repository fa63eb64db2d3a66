import { cookies } from 'next/headers'
import { config } from '../config.ts'
import { cookieName, isSecure } from '../cookies.ts'

/** As long as the API waits for the code that makes a session of it. */
const TICKET_SECONDS = 5 * 60

const ticketName = () => cookieName('meridian.sign-in', config().consoleUrl)

/** Keeps the ticket of a sign-in that waits for a code, where no script of a page can read it. */
export async function keepTicket(ticket: string): Promise<void> {
  const secure = isSecure(config().consoleUrl)
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge: TICKET_SECONDS } as const
  ;(await cookies()).set(ticketName(), ticket, options)
}

export const readTicket = async (): Promise<string | null> =>
  (await cookies()).get(ticketName())?.value ?? null

export async function dropTicket(): Promise<void> {
  ;(await cookies()).delete(ticketName())
}

import { cookies } from 'next/headers'
import { config } from '../config.ts'
import { cookieName } from '../cookie-name.ts'

/** What this browser keeps under that name (`keepPreference`). */
export const preference = async (name: string): Promise<string | undefined> =>
  (await cookies()).get(cookieName(name, config().consoleUrl))?.value

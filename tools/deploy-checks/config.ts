import { fileURLToPath } from 'node:url'

export const checkout = fileURLToPath(new URL('../../', import.meta.url))
export const deployFolder = fileURLToPath(new URL('../../deploy/', import.meta.url))

const environment: Readonly<Record<string, string | undefined>> = { ...process.env }
const searchPath = environment['PATH'] ?? ''

/** Programs of a system's administrator lie where ordinary users do not look. */
export const programEnvironment = { ...environment, PATH: `${searchPath}:/usr/local/sbin:/usr/sbin:/sbin` }

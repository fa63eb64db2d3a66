import { claimPort } from '@meridian/process'

/** A port that nobody else gets as long as this process lives. */
export const freePort = async (): Promise<number> => (await claimPort()).port

import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** A TCP port of 127.0.0.1 that nobody else who claims ports gets, until it is released or this process ends. */
export type PortClaim = { port: number; release: () => void }

const mostAttempts = 500
/** Below are the services everybody knows, among them what browsers refuse to speak to (the last is 10080). */
const lowestPort = 10_240
const highestPort = 65_535
const fewestPorts = 1_000

/**
 * Claims a port for a program that can be told a port, but not handed a socket (PostgreSQL), or that must come back
 * at the same address. The port lies outside the range from which the kernel takes the source ports of outgoing
 * connections and the ports of whoever listens on 0; among those who claim it is exclusive, because a claim is the
 * UDP port of the same number, which the kernel gives to one process and takes back when that process ends. A program
 * that insists on this very number can still come first: who starts a server on it tries again on another.
 * @param wanted this port, or none at all
 * @throws Error when it is taken, or when no port is free
 */
export async function claimPort(wanted?: number): Promise<PortClaim> {
  const [lowest, highest] = quietRange()
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const claim = await tryToClaim(wanted ?? randomInt(lowest, highest + 1))
    if (claim) return claim
    if (wanted !== undefined) throw new Error(`Port ${wanted} is taken`)
  }
  throw new Error('This machine has no free port')
}

async function tryToClaim(port: number): Promise<PortClaim | null> {
  const claim = createSocket('udp4')
  const bound = once(claim, 'listening').then(
    () => true,
    () => false,
  )
  claim.bind({ port, address: '127.0.0.1', exclusive: true })
  const release = () => void claim.close()
  if (!(await bound)) return null
  // A claim keeps no program from ending.
  claim.unref()
  if (await canListen(port)) return { port, release }
  release()
  return null
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer()
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.listen({ port, host: '127.0.0.1', exclusive: true })
  if (!(await listening)) return false
  const closed = once(server, 'close')
  server.close()
  await closed
  return true
}

/** Where the kernel gives nothing away by itself; all of it on a machine that keeps no such place. */
function quietRange(): readonly [number, number] {
  const [first, last] = ephemeralRange()
  if (first - lowestPort >= fewestPorts) return [lowestPort, first - 1]
  if (highestPort - last >= fewestPorts) return [last + 1, highestPort]
  return [lowestPort, highestPort]
}

/** Linux tells its range (ip(7)); the others have the one of RFC 6335. */
function ephemeralRange(): readonly [number, number] {
  try {
    const [first, last] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/)
    return [Number(first), Number(last)]
  } catch {
    return [49_152, highestPort]
  }
}

/**
 * A socket that listens on a port of 127.0.0.1 which the kernel chose. It is there before the program that will
 * serve it, so the address can be told to everybody beforehand and nobody else can get it.
 */
export type OpenSocket = {
  port: number
  url: string
  /** Number of the open file, for the program that inherits it. */
  descriptor: number
  /** Lets go of it here; a program that has inherited it keeps it. */
  close: () => void
}

/** Opens a socket to be handed to one program by `spawnProgram`, which closes it here. */
export async function openSocket(): Promise<OpenSocket> {
  // Nobody is served here: who comes before the program is sent away, as when nothing listened.
  const server = createServer((connection) => connection.destroy())
  server.listen({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.unref()
  const address = server.address()
  const descriptor = descriptorOf(server)
  if (address === null || typeof address === 'string' || descriptor === null) {
    server.close()
    throw new Error('A listening socket cannot be handed to a program here')
  }
  const { port } = address
  return { port, url: `http://127.0.0.1:${port}`, descriptor, close: () => void server.close() }
}

/** Node has no public name for it: a child process takes open files by number, and a server does not tell its own. */
function descriptorOf(server: object): number | null {
  const handle: unknown = Reflect.get(server, '_handle')
  const descriptor: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : null
  return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : null
}

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

import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { ports } from './gateways.ts'
import type { Machine } from './machine.ts'

/** A name of the leader, as a cloud's DNS or a virtual address is one: who connects gets whoever it named last. */
export type LateName = {
  /** From now on the name means this machine; connections that are open stay where they are. */
  pointAt: (machine: Machine) => void
  close: () => void
}

function forward(from: Socket, host: string): void {
  const to = createConnection({ host, port: 5432 })
  const end = () => {
    from.destroy()
    to.destroy()
  }
  for (const socket of [from, to]) socket.on('error', end).on('close', end)
  from.pipe(to)
  to.pipe(from)
}

export function openLateName(first: Machine): LateName {
  let { address } = first
  const server: Server = createServer((socket) => forward(socket, address))
  server.listen(ports.lateName, '127.0.0.1')
  return {
    pointAt: (machine) => {
      address = machine.address
    },
    close: () => void server.close(),
  }
}

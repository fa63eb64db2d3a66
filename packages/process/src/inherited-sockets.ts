/** Listening sockets that were open before this program ran, by the number of the open file; null where there is none. */
export type InheritedSockets = { http: number | null; metrics: number | null }

/** The first one, after standard input, output and error. */
const firstDescriptor = 3

/**
 * The sockets that whoever started this program has opened for it, as systemd's socket activation does
 * (sd_listen_fds(3)): LISTEN_FDS tells how many, LISTEN_FDNAMES their names, LISTEN_PID for which process they are; a
 * starter that cannot know the process beforehand leaves that one out. The one named `metrics` is for the metrics, the
 * first other one for everybody.
 */
export function inheritedSockets(
  environment: Readonly<Record<string, string | undefined>>,
  pid = process.pid,
): InheritedSockets {
  const { LISTEN_FDS: count = '', LISTEN_PID: receiver, LISTEN_FDNAMES: names = '' } = environment
  const isForUs = /^[1-9]\d{0,2}$/.test(count) && (!receiver || receiver === String(pid))
  const given = names.split(':')
  const sockets = Array.from({ length: isForUs ? Number(count) : 0 }, (_, index) => given[index] ?? '')
  const descriptorOf = (isWanted: (name: string) => boolean) => {
    const index = sockets.findIndex(isWanted)
    return index < 0 ? null : firstDescriptor + index
  }
  return {
    http: descriptorOf((name) => name !== 'metrics'),
    metrics: descriptorOf((name) => name === 'metrics'),
  }
}

type Place = { port: number; host: string }

/** What a server listens on: the inherited socket, or else its place. */
export const listenOn = (descriptor: number | null, place: Place): Place & { fd?: number } =>
  descriptor === null ? place : { ...place, fd: descriptor }

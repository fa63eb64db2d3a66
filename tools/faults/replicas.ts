import { type Running, startProgram } from '../../e2e/support/start-process.ts'
import type { Figures } from './figures.ts'

export type Replica = {
  url: string
  /** Kills the program and starts it again. */
  killAndStart: () => Promise<void>
  stop: () => Promise<void>
}

type Options = { port: number; environment: Record<string, string>; figures: Figures }

/** One of the programs of the API, as it ships, with its workers. */
export async function startReplica({ port, environment, figures }: Options): Promise<Replica> {
  const url = `http://127.0.0.1:${port}`
  const env = { ...environment, HOST: '127.0.0.1', PORT: `${port}`, METRICS_PORT: '0' }
  // Alive is enough: whether it is ready depends on a database that may be away.
  const start = () => startProgram({ file: 'apps/api/dist/main.js', env, ready: `${url}/healthz` })
  let running: Running = await start()
  return {
    url,
    killAndStart: async () => {
      await running.kill()
      figures['programs killed'] += 1
      running = await start()
    },
    stop: () => running.stop(),
  }
}

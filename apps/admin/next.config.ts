import path from 'node:path'
import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'

const config: NextConfig = {
  transpilePackages: ['@meridian/contracts'],
  // The build lists the files it needs to run; `npm run build` copies them.
  output: 'standalone',
  // No page has a picture that is made smaller: the library for that (sharp, 19 MB) does not ship.
  images: { unoptimized: true },
  // Replicas built of the same sources are the same to a browser; turbo names the state of the sources.
  generateBuildId: () => process.env['TURBO_HASH'] ?? null,
  poweredByHeader: false,
  // A browser asks for the icon at each new address; the one it is told of has its contents in its name.
  headers: async () => [
    { source: '/icon.svg', headers: [{ key: 'cache-control', value: 'public, max-age=604800' }] },
  ],
  reactStrictMode: true,
  turbopack: {
    root: path.join(import.meta.dirname, '../..'),
    // React Aria brings its texts in 34 languages; its own plugin knows webpack and Vite only.
    rules: {
      '**/react-aria/dist/private/intl/**/*.mjs': {
        condition: { not: { path: /(en-US|zh-CN)\.mjs$/ } },
        loaders: [path.join(import.meta.dirname, 'drop-strings.cjs')],
        as: '*.mjs',
      },
    },
  },
  // `npm run typecheck` checks types; a build must not need the API's generated sources.
  typescript: { ignoreBuildErrors: true },
  // A page seen before is shown at once as it was; its queries then ask again behind it (`staleTime`).
  // Nothing is rendered ahead, so nothing has to be kept; the folder it runs in may be read-only.
  experimental: { staleTimes: { dynamic: 300 }, isrFlushToDisk: false },
}

export default createNextIntlPlugin('./src/messages/request.ts')(config)

import path from 'node:path'
import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'

const config: NextConfig = {
  transpilePackages: ['@meridian/contracts'],
  poweredByHeader: false,
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
  experimental: { staleTimes: { dynamic: 300 } },
}

export default createNextIntlPlugin('./src/messages/request.ts')(config)

import { existsSync } from 'node:fs'

// The program is bundled from TypeScript by the build, because Node 20 cannot run it as it is.
const program = new URL('./dist/serve-console.js', import.meta.url)
if (!existsSync(program) || !existsSync(new URL('./.next/BUILD_ID', import.meta.url))) {
  console.error('The console is not built yet: npm run build -w @meridian/admin')
  process.exit(1)
}
process.env.NODE_ENV = 'production'
await import(program.href)

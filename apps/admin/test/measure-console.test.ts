import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { expect, test } from 'vitest'
import { measureConsole, metricsServer } from '../src/server/http-servers.ts'

async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

test('requests to the console are measured on a port of their own, with what runs', async () => {
  const console = createServer((_request, response) => response.writeHead(307).end())
  const metrics = metricsServer(measureConsole(console, { version: '1.2.3', commit: 'abc' }))
  const [consoleUrl, metricsUrl] = [await listening(console), await listening(metrics)]
  await fetch(`${consoleUrl}/`, { redirect: 'manual' })
  await fetch(`${consoleUrl}/`, { redirect: 'manual', method: 'PROPFIND' })
  const scrape = async () => (await fetch(`${metricsUrl}/metrics`)).text()
  await expect.poll(scrape).toContain('meridian_console_request_seconds_count{method="other",status="307"} 1')
  const text = await scrape()
  expect(text).toContain('meridian_console_request_seconds_count{method="GET",status="307"} 1')
  expect(text).toContain('# TYPE meridian_console_request_seconds histogram')
  expect(text).toContain('# TYPE process_cpu_seconds_total counter')
  expect(text).toMatch(
    /^meridian_build_info\{version="1\.2\.3",commit="abc",node="v[^"]+",role="console"\} 1$/m,
  )
  expect((await fetch(`${metricsUrl}/`)).status).toBe(404)
  console.close()
  metrics.close()
})

import { expect, test } from 'vitest'
import { readArguments, usage } from '../src/read-arguments.ts'

test('a command without options has a port and a folder of its own, and leaves the rest to the settings', () => {
  expect(readArguments([])).toEqual({ folder: '.meridian-sandbox', port: 4100 })
})

test('each option is one setting', () => {
  const words = {
    '--port': '0',
    '--host': '::1',
    '--folder': 'kept',
    '--api': 'http://api',
    '--notify-url': 'http://shop/notify',
    '--push-url': 'http://shop/push',
    '--console': 'http://console',
  }
  expect(readArguments(Object.entries(words).flat())).toEqual({
    ...{ port: 0, host: '::1', folder: 'kept', apiUrl: 'http://api', consoleUrl: 'http://console' },
    ...{ notifyUrl: 'http://shop/notify', pushUrl: 'http://shop/push' },
  })
  for (const option of Object.keys(words)) expect(usage).toContain(`  ${option} `)
})

test('help is help, whatever stands beside it; what is unknown is refused with the usage', () => {
  expect(readArguments(['--port', '1', '--help'])).toBe('help')
  expect(readArguments(['-h'])).toBe('help')
  expect(() => readArguments(['--prot', '1'])).toThrow(usage)
  expect(() => readArguments(['elsewhere'])).toThrow(usage)
})

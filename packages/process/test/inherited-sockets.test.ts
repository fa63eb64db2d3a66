import { expect, test } from 'vitest'
import { inheritedSockets } from '../src/inherited-sockets.ts'

const none = { http: null, metrics: null }

test('sockets are told by number and name, as systemd tells them', () => {
  expect(inheritedSockets({ LISTEN_FDS: '1' })).toEqual({ http: 3, metrics: null })
  expect(inheritedSockets({ LISTEN_FDS: '2', LISTEN_FDNAMES: 'metrics:http' })).toEqual({
    http: 4,
    metrics: 3,
  })
  expect(inheritedSockets({ LISTEN_FDS: '1', LISTEN_FDNAMES: 'meridian.socket' })).toEqual({
    http: 3,
    metrics: null,
  })
})

test('sockets that are meant for another process are not ours', () => {
  expect(inheritedSockets({ LISTEN_FDS: '1', LISTEN_PID: '7' }, 7)).toEqual({ http: 3, metrics: null })
  expect(inheritedSockets({ LISTEN_FDS: '1', LISTEN_PID: '7' }, 8)).toEqual(none)
})

test('without sockets, or with a number that is none, there is nothing to inherit', () => {
  for (const LISTEN_FDS of [undefined, '', '0', '-1', 'two'])
    expect(inheritedSockets({ LISTEN_FDS })).toEqual(none)
})

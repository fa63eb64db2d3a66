import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMiniProgram, systemRuntime } from '../src/index.ts'
import { openWorld, type World } from './world/world.ts'

describe('logging in with a wx.login code', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  const miniProgram = (appSecret = world.settings.appSecret) =>
    createMiniProgram({ appId: world.settings.appId, appSecret, baseUrl: world.platform.url }, systemRuntime)

  it('gives the openid, and nothing of the session key', async () => {
    const session = await miniProgram().login(world.platform.loginCode('oSomebody'))
    expect(session).toEqual({ openid: 'oSomebody', unionid: null })
  })

  it('works once per code', async () => {
    const code = world.platform.loginCode('oSomebody')
    await miniProgram().login(code)
    await expect(miniProgram().login(code)).rejects.toMatchObject({ reason: 'invalid_code', errcode: 40163 })
  })

  it('tells a wrong secret, a made-up code and a platform that is away apart', async () => {
    const code = world.platform.loginCode('oSomebody')
    await expect(miniProgram('wrong').login(code)).rejects.toMatchObject({
      reason: 'misconfigured',
      errcode: 40125,
    })
    await expect(miniProgram().login('made-up')).rejects.toMatchObject({
      reason: 'invalid_code',
      errcode: 40029,
    })
    world.platform.faults.add({ kind: 'drop', at: 'mini_program', times: 1 })
    const lost = miniProgram().login(code)
    await expect(lost).rejects.toMatchObject({ reason: 'unreachable', errcode: null })
  })

  it('never shows the secret in an error', async () => {
    world.platform.faults.add({ kind: 'drop', at: 'mini_program', times: 1 })
    const error: unknown = await miniProgram()
      .login('code')
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(JSON.stringify([String(error), error, error instanceof Error && error.cause])).not.toContain(
      world.settings.appSecret,
    )
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createMiniProgram, type MiniProgram, systemRuntime } from '../src/index.ts'
import { anOrder, openWorld, type World } from './world/world.ts'

describe('the server side of the mini-program', () => {
  let world: World
  let miniProgram: MiniProgram
  beforeAll(async () => {
    world = await openWorld()
    const { appId, appSecret, apiBaseUrl } = world.settings
    miniProgram = createMiniProgram({ appId, appSecret, baseUrl: apiBaseUrl }, systemRuntime)
  })
  afterAll(() => world.close())
  afterEach(() => world.platform.faults.clear())

  const tokensAsked = () =>
    world.platform.requests.filter(({ path }) => path.startsWith('/cgi-bin/stable_token')).length
  const message = {
    openid: 'oSomebody',
    templateId: 'T1',
    data: { thing1: '季度会员', time2: '2026-01-01 12:00' },
  }

  it('asks for one token however many calls wait for it', async () => {
    await Promise.all(Array.from({ length: 8 }, () => miniProgram.sendSubscribeMessage(message)))
    expect(tokensAsked()).toBe(1)
    expect(world.platform.messages).toHaveLength(8)
    expect(world.platform.messages[0]).toMatchObject({
      openid: 'oSomebody',
      data: { thing1: { value: '季度会员' } },
    })
  })

  it('gets a new token when the old one has died, and repeats the call once', async () => {
    world.platform.faults.add({ kind: 'token_expired', at: 'mini_program', times: 1 })
    const asked = tokensAsked()
    await miniProgram.sendSubscribeMessage(message)
    expect(tokensAsked()).toBe(asked + 1)
  })

  it('gives up when the new token is not taken either', async () => {
    world.platform.faults.add({ kind: 'token_expired', at: 'mini_program' })
    await expect(miniProgram.sendSubscribeMessage(message)).rejects.toMatchObject({ errcode: 40001 })
  })

  it('tells a user who did not subscribe from a message that does not fit', async () => {
    await miniProgram.sendSubscribeMessage(message)
    world.platform.faults.add({ kind: 'not_subscribed', at: 'mini_program', times: 1 })
    await expect(miniProgram.sendSubscribeMessage(message)).rejects.toMatchObject({
      reason: 'not_subscribed',
    })
    const long = { ...message, data: { thing1: 'x'.repeat(21) } }
    await expect(miniProgram.sendSubscribeMessage(long)).rejects.toMatchObject({ reason: 'misconfigured' })
  })

  it('records shipping once, again after the platform was not ready, and never twice', async () => {
    const order = anOrder()
    await world.payments.prepay(order)
    await world.platform.pay(order.outTradeNo, { silent: true })
    const found = await world.payments.queryOrder(order.outTradeNo)
    if (found.state !== 'paid') throw new Error('not paid')
    const { paymentNo: transactionId } = found.payment
    const shipping = { transactionId, payerOpenid: order.payerOpenid, itemDescription: '季度会员 90 天' }

    world.platform.faults.add({ kind: 'shipping_not_ready', at: 'mini_program', times: 1 })
    await expect(miniProgram.uploadShipping(shipping)).rejects.toMatchObject({
      reason: 'not_yet',
      errcode: 10060001,
    })
    expect(await miniProgram.shippingState(transactionId)).toBe(1)
    expect(await miniProgram.uploadShipping(shipping)).toBe('recorded')
    expect(await miniProgram.uploadShipping(shipping)).toBe('already')
    expect(await miniProgram.shippingState(transactionId)).toBe(2)
    const stranger = { ...shipping, payerOpenid: 'oStranger' }
    await expect(miniProgram.uploadShipping(stranger)).rejects.toMatchObject({ errcode: 10060031 })
  })
})

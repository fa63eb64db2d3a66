import { device } from './examples.ts'
import type { TagWords } from './operation-words.ts'

const serialNumber = device.serial_number

export const devices = {
  title: { zh: '设备', en: 'Devices' },
  description: {
    zh: '绑定和解绑设备。一台设备同时只属于一人；序列号不分大小写，以大写保存。库存中有密钥的设备需要证明就在手边。',
    en: 'Binding devices and letting them go. A device belongs to one person at a time; serial numbers are kept in capitals, whatever case they come in. A device whose inventory row holds a secret has to prove that it is at hand.',
  },
  operations: {
    'GET /devices': {
      operationId: 'listDevices',
      summary: { zh: '列出本人设备', en: 'List your devices' },
      description: {
        zh: '登录者现在绑定的设备，最近绑定的在前。',
        en: 'The devices that are bound to the signed-in person, the latest first.',
      },
      answers: { 200: { zh: '一页设备。', en: 'A page of devices.' } },
      answer: { items: [device], next_cursor: null },
    },
    'POST /devices/bind-challenge': {
      operationId: 'createBindChallenge',
      summary: { zh: '取得绑定质询', en: 'Ask for a challenge to sign' },
      description: {
        zh: '在 `bindDevice` 之前调用。设备用自己的密钥对 `nonce` 的 64 个字符（不是它们所代表的字节）计算 HMAC-SHA-256，结果作为 `proof`。两分钟内有效，只能用一次：无论对错都作废。没有密钥的设备无需证明，直接绑定即可。每人每分钟 10 次（与绑定合计）。',
        en: 'Call it before `bindDevice`. The device makes an HMAC-SHA-256 with its secret over the 64 characters of `nonce` (not the bytes they stand for), which becomes `proof`. Good for two minutes and once: a wrong answer uses it up as well. A device without a secret needs no proof and is bound straight away. 10 calls a minute and person, binding included.',
      },
      answers: { 200: { zh: '待签名的质询。', en: 'What the device signs.' } },
      request: { serial_number: serialNumber },
      answer: {
        nonce: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        expires_at: '2026-11-20T08:02:00.000Z',
      },
    },
    'POST /devices/bind': {
      operationId: 'bindDevice',
      summary: { zh: '绑定设备', en: 'Bind a device' },
      description: {
        zh: '把设备绑定到登录者。收到 `proof_required` 时先取质询。可重复调用：已绑定给本人的设备回答 200。型号、地址、固件和昵称都可省略。首次绑定可能赠送试用天数：之后读取订阅。',
        en: 'Binds a device to the signed-in person. After `proof_required`, ask for a challenge first. Safe to repeat: a device that is already theirs is answered 200. Model, address, firmware and nickname may be left out. A first binding may come with trial days: read the subscription afterwards.',
      },
      answers: {
        200: { zh: '已绑定给您。', en: 'It was yours already.' },
        201: { zh: '刚刚绑定。', en: 'Bound just now.' },
      },
      request: {
        serial_number: serialNumber,
        mac_address: device.mac_address,
        model: device.model,
        firmware_version: device.firmware_version,
        nickname: device.nickname,
        proof: '6b2c0ef6a1f0d1a5c7b8e9f00112233445566778899aabbccddeeff001122334',
      },
      answer: { device },
    },
    'POST /devices/unbind': {
      operationId: 'unbindDevice',
      summary: { zh: '解绑设备', en: 'Let a device go' },
      description: {
        zh: '解绑给出序列号的设备；不给则解绑最近绑定的一台。可重复调用：没有可解绑的设备时 `unbound` 为空数组。',
        en: 'Ends the binding of the device that is named, or of the latest one where none is. Safe to repeat: where nothing was bound, `unbound` is empty.',
      },
      answers: { 200: { zh: '所解绑的设备。', en: 'What was let go.' } },
      request: { serial_number: serialNumber },
      answer: { unbound: [device] },
    },
  },
} as const satisfies TagWords

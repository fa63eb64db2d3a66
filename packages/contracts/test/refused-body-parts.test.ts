import { describe, expect, test } from 'vitest'
import { defaultProgramBounds, validateDiagnosis } from '../src/index.ts'

const isRefused = (part: { code: string; name: string }, refused = defaultProgramBounds.refused_body_parts) =>
  validateDiagnosis(
    { body_parts: [part], programs: [] },
    { ...defaultProgramBounds, refused_body_parts: refused },
  ).some(({ code }) => code === 'body_part_refused')

const named = (name: string) => isRefused({ code: 'part', name })

describe('a body part is refused', () => {
  test.each([
    ...['胸', '前胸', '胸椎', '胸大肌', '心前区', '心脏', '心口', '乳房', '肋骨', '膻中穴'],
    ...[
      '颈前',
      '頸前',
      '前颈部',
      '颈部前侧',
      '脖子正面',
      '咽喉',
      '喉咙',
      '气管',
      '甲状腺',
      '颈动脉',
      '胸锁乳突肌',
    ],
    ...['头', '頭部', '头皮', '头顶', '后脑', '额头', '前額', '太阳穴', '颞部', '枕部', '脸', '面部', '面颊'],
    ...['下巴', '耳朵', '鼻子', '嘴唇', '舌头', '三叉神经', '肩头颈', '四头肌头部'],
    ...['眼', '眼睛', '双目', '眼眶', '眉毛', '上睑'],
  ])('by its Chinese name %s', (name) => expect(named(name)).toBe(true))

  test.each([
    ...['Chest', 'left chest', 'leftChest', 'leftchest', 'chest2', 'upper-chest', 'Thorax', 'thoracic spine'],
    ...['heart', 'heart area', 'breasts', 'pecs', 'pectoralis major', 'sternum', 'parasternal', 'rib cage'],
    ...[
      'throat',
      'front neck',
      'neck (front)',
      'front of the neck',
      'front side of neck',
      'anterior cervical',
    ],
    ...['larynx', 'Carotid artery', "Adam's apple", 'sternocleidomastoid', 'thyroid'],
    ...[
      'head',
      'heads',
      'HEAD',
      'headLeft',
      'forehead',
      'temple',
      'temples',
      'skull',
      'scalp',
      'face',
      'jaws',
    ],
    ...['transcranial', 'ear', 'left ear', 'mouth', 'cheek', 'occipital'],
    ...['eye', 'eyes', 'lefteye', 'eyelids', 'eye-brow', 'periorbital'],
  ])('by its English name %s', (name) => {
    expect(named(name)).toBe(true)
    expect(isRefused({ code: name, name: 'x' })).toBe(true)
  })

  test.each([
    ['full-width letters', 'ＣＨＥＳＴ'],
    ['mathematical letters', '𝒄𝒉𝒆𝒔𝒕'],
    ['accents', 'chést'],
    ['combining marks', 'c\u0335h\u0335est'],
    ['spaces between letters', 'c h e s t'],
    ['spaces within', 'che st'],
    ['signs between letters', 'e.y_e'],
    ['a space between characters', '颈 前'],
    ['signs between characters', '胸・部'],
    ['another script between characters', '颈x前'],
    ['digits between characters', '心1脏'],
    ['a zero-width space', 'ch\u200best'],
    ['a zero-width joiner', '眼\u200d'],
    ['a word joiner', '气\u2060管'],
    ['a soft hyphen', 'he\u00adad'],
    ['a variation selector', '喉\ufe0f咙'],
    ['a Hangul filler', 'ey\u3164e'],
    ['a control character', 'ch\u0007est'],
    ['tag characters', 'ch\u{e0065}est'],
    ['text turned around', '\u202etsehc'],
    ['letters of another script', 'сhest'],
    ['Greek letters', 'κεφαλή'],
    ['a radical', '⾸\u2fb8胸'],
    ['a picture', 'part 👁'],
  ])('however it is hidden: %s', (_how, name) => expect(named(name)).toBe(true))

  test('by each word of a part of which the bounds list one, and by no word of the others', () => {
    const part = (name: string) => ({ code: 'part', name })
    expect(isRefused(part('额头'), ['head'])).toBe(true)
    expect(isRefused(part('forehead'), ['头部'])).toBe(true)
    expect(isRefused(part('eyelid'), ['head'])).toBe(false)
    expect(isRefused(part('胸'), ['眼'])).toBe(false)
  })

  test('by a word of the bounds that stands for none of the four parts, itself alone', () => {
    expect(isRefused({ code: 'left_groin', name: '部位' }, ['groin'])).toBe(true)
    expect(isRefused({ code: 'part', name: '腹股沟' }, ['groin'])).toBe(false)
    expect(isRefused({ code: 'part', name: '左腹股 沟' }, ['腹股沟'])).toBe(true)
  })
})

test.each([
  ...[
    '颈部',
    '颈后',
    '后颈',
    '颈椎',
    '肩',
    '肩头',
    '肩颈',
    '背部',
    '上背',
    '小腿背面部位',
    '腰',
    '手腕',
    '前臂',
    '股前',
  ],
  ...[
    '肱二头肌',
    '肱三头肌',
    '肱三头肌长头',
    '股四头肌',
    '2头肌',
    '腓肠肌内侧头',
    '膝头',
    '指头',
    '手心',
    '足心',
    '手心区域',
  ],
  ...['核心', '核心区', '臀部', '小腿', '脚踝', '斜方肌', '腹直肌', '肘关节', '部位1'],
  ...[
    'neck',
    'back of the neck',
    'neckback',
    'cervical',
    'shoulder',
    'overhead press area',
    'upper back',
    'wrist',
  ],
  ...[
    'front thigh',
    'tibialis anterior',
    'external oblique',
    'fascial line',
    'extensor retinaculum',
    'heel',
    'calf',
  ],
  ...[
    'facet joint',
    'lumbar',
    'thoracolumbar fascia',
    'the adductors',
    'forearm',
    'lower-back',
    'quadriceps',
    'hip',
  ],
])('the harmless body part %s is not refused', (name) => expect(named(name)).toBe(false))

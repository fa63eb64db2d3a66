import { describe, expect, test } from 'vitest'
import {
  type DiagnosisDraftContent,
  diffDiagnosis,
  validateDiagnosis,
  WrittenDiagnosis,
} from '../src/index.ts'

const program = {
  code: 'relax',
  name: '舒缓',
  body_part: 'neck',
  waveform: 'biphasic',
  frequency_hz: 80,
  pulse_width_us: 200,
  intensity_min: 1,
  intensity_max: 20,
  intensity_default: 5,
  duration_minutes: 15,
  contraindications: ['pacemaker', '孕妇', '癫痫'],
  premium: false,
}
const neck = { code: 'neck', name: '颈部' }
const content = (changes: Partial<DiagnosisDraftContent> = {}): DiagnosisDraftContent => ({
  body_parts: [neck],
  programs: [program],
  ...changes,
})
const faults = (...programs: DiagnosisDraftContent['programs']) => validateDiagnosis(content({ programs }))

describe('validating a configuration', () => {
  test('a whole one has no fault, and an empty one neither', () => {
    expect(validateDiagnosis(content())).toEqual([])
    expect(validateDiagnosis({ body_parts: [], programs: [] })).toEqual([])
  })

  test.each([
    ['no name', { name: ' ' }, 'name: required'],
    ['a code in capitals', { code: 'Relax' }, 'code: not_a_code'],
    ['a body part nobody knows', { body_part: 'tail' }, 'body_part: unknown_body_part'],
    ['a wave nobody knows', { waveform: 'saw' }, 'waveform: unknown_waveform'],
    ['a missing number', { frequency_hz: null }, 'frequency_hz: required'],
    ['too short a pulse', { pulse_width_us: 9 }, 'pulse_width_us: out_of_bounds'],
    [
      'the least above the most',
      { intensity_min: 30, intensity_default: 30 },
      'intensity_min: min_above_max',
    ],
    ['a usual intensity outside', { intensity_default: 21 }, 'intensity_default: default_outside'],
    ['the usual as the least', { intensity_default: 1 }, 'intensity_default: default_outside'],
    ['the usual above half', { intensity_default: 11 }, 'intensity_default: default_above_share'],
    ['too high a frequency', { frequency_hz: 151, pulse_width_us: 100 }, 'frequency_hz: out_of_bounds'],
    ['more than an hour', { duration_minutes: 61 }, 'duration_minutes: out_of_bounds'],
    [
      'pulses too much of the time',
      { frequency_hz: 100, pulse_width_us: 301 },
      'pulse_width_us: too_long_a_pulse',
    ],
    [
      'a fast monophasic wave',
      { waveform: 'monophasic', frequency_hz: 101 },
      'frequency_hz: monophasic_bounds',
    ],
    [
      'a long monophasic pulse',
      { waveform: 'monophasic', pulse_width_us: 251 },
      'pulse_width_us: monophasic_bounds',
    ],
    [
      'no word of epilepsy',
      { contraindications: ['起搏器', '孕'] },
      'contraindications: contraindications_missing',
    ],
  ])('a program with %s is refused where it is wrong', (_what, changes, fault) => {
    const found = faults({ ...program, ...changes }).map(({ path, code }) => `${path}: ${code}`)
    expect(found).toEqual([`programs.0.${fault}`])
  })

  test.each([
    ['chest', '身体'],
    ['front_neck', '脖子'],
    ['eyes', 'x'],
    ['upper', '头部'],
    ['upper', '胸大肌'],
    ['upper', 'Head, left'.slice(0, 4)],
  ])('the body part %s (%s) is refused', (code, name) => {
    const body_parts = [neck, { code, name }]
    expect(validateDiagnosis(content({ body_parts }))).toEqual([
      { path: 'body_parts.1.code', code: 'body_part_refused' },
    ])
  })

  test.each(['股四头肌', '肱二头肌', '颈部', '肩'])('the body part %s is not refused', (name) => {
    expect(validateDiagnosis(content({ body_parts: [neck, { code: 'part', name }] }))).toEqual([])
  })

  test('a code may be there once', () => {
    expect(faults(program, program)).toEqual([{ path: 'programs.1.code', code: 'taken' }])
  })

  test('a misspelt member of written text is a mistake', () => {
    expect(WrittenDiagnosis.safeParse(content()).success).toBe(true)
    expect(WrittenDiagnosis.safeParse({ ...content(), programmes: [] }).success).toBe(false)
    expect(
      WrittenDiagnosis.safeParse(content({ programs: [{ ...program, ...{ frequenzy: 1 } }] })).success,
    ).toBe(false)
  })
})

describe('the difference of two configurations', () => {
  test('is nothing between equals', () => {
    expect(diffDiagnosis(content(), content())).toEqual([])
  })

  test('names what came, what went and what changed, field by field', () => {
    const after = content({
      body_parts: [neck, { code: 'back', name: '背部' }],
      programs: [{ ...program, frequency_hz: 100, contraindications: ['妊娠'] }],
    })
    expect(diffDiagnosis(content(), after)).toEqual([
      {
        what: 'body_part',
        code: 'back',
        kind: 'added',
        fields: [
          { name: 'code', before: 'null', after: 'back' },
          { name: 'name', before: 'null', after: '背部' },
        ],
      },
      {
        what: 'program',
        code: 'relax',
        kind: 'changed',
        fields: [
          { name: 'frequency_hz', before: '80', after: '100' },
          { name: 'contraindications', before: '["pacemaker","孕妇","癫痫"]', after: '["妊娠"]' },
        ],
      },
    ])
    expect(diffDiagnosis(after, content())[0]).toEqual({
      what: 'body_part',
      code: 'back',
      kind: 'removed',
      fields: [],
    })
  })

  test('names what only moved', () => {
    const other = { ...program, code: 'deep' }
    const changes = diffDiagnosis(
      content({ programs: [program, other] }),
      content({ programs: [other, program] }),
    )
    expect(changes.map(({ code, kind }) => `${kind} ${code}`)).toEqual(['moved deep', 'moved relax'])
  })
})

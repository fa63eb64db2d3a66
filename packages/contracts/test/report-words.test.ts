import { describe, expect, test } from 'vitest'
import { reportColumn, reportMeasure, reportMember, reportNumber, reportValue } from '../src/report-words.ts'

describe('a member of a report', () => {
  test.each([
    ['t_ms', '时间（秒）', 'Time (s)'],
    ['microvolts', '肌电（µV）', 'Muscle signal (µV)'],
    ['posture', '体态', 'Posture'],
    ['impedance_ohm', '皮肤阻抗（Ω）', 'Skin impedance (Ω)'],
    ['planned_minutes', '设定时长（分钟）', 'Planned (min)'],
    ['symmetry_percent', '左右对称度（%）', 'Symmetry (%)'],
  ])('%s has a name and a unit in both languages', (name, zh, en) => {
    expect(reportColumn(name, 'zh')).toBe(zh)
    expect(reportColumn(name, 'en')).toBe(en)
  })

  test('that nobody knows is read by its name, never as a key', () => {
    expect(reportMember('grip_strength', 'en')).toBe('Grip strength')
    expect(reportColumn('gripForce_ma', 'en')).toBe('Grip force (mA)')
    expect(reportMember('hasOwnProperty', 'en')).toBe('Has own property')
  })
})

describe('a value of a report', () => {
  test('has no more digits than people read', () => {
    expect(reportNumber('symmetry', 0.819_568_336_157_665_2)).toBe('0.82')
    expect(reportNumber('score', 61.234_567)).toBe('61.23')
    expect(reportNumber('value', 0.001_23)).toBe('0.001')
    expect(reportNumber('count', 12_345)).toBe('12,345')
  })

  test('counts time in seconds', () => {
    expect(reportMeasure('t_ms', 1500, 'en')).toBe('1.5 s')
    expect(reportMeasure('t_ms', 1500, 'zh')).toBe('1.5 秒')
  })

  test('has its unit and its words, also inside lists and objects', () => {
    expect(reportMeasure('symmetry_percent', 93, 'zh')).toBe('93%')
    expect(reportValue('channel', 'left', 'zh')).toBe('左')
    expect(reportValue('posture', '良好', 'en')).toBe('良好')
    expect(reportValue('calibrated', false, 'zh')).toBe('否')
    expect(reportValue('angles', [1.234, 5], 'zh')).toBe('1.23、5')
    expect(reportValue('back', { tension: 58, planned_minutes: 15 }, 'en')).toBe('Tension 58, Planned 15 min')
    expect(reportValue('note', null, 'en')).toBe('')
    expect(reportValue('note', 'constructor', 'en')).toBe('constructor')
  })
})

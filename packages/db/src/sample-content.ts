/** Templates and programs that a sandbox begins with, so that a reminder and a treatment can be seen at once. */

export const sampleTemplates = {
  expiry_reminder: {
    id: 'SANDBOX-expiry-reminder',
    fields: { thing1: 'plan', time2: 'expires_at', thing3: 'notice' },
    page: 'pages/index/index',
  },
}

const contraindications = ['心脏起搏器等体内电子装置', '孕妇', '癫痫', '治疗部位皮肤破损']

const program = {
  waveform: 'biphasic',
  intensity_min: 1,
  intensity_max: 20,
  intensity_default: 5,
  contraindications,
}

export const sampleDiagnosis = {
  body_parts: [
    { code: 'shoulder', name: '肩部' },
    { code: 'lower_back', name: '腰部' },
    { code: 'calf', name: '小腿' },
  ],
  programs: [
    {
      ...program,
      ...{ code: 'shoulder_relax', name: '肩部舒缓', body_part: 'shoulder', premium: false },
      ...{ frequency_hz: 80, pulse_width_us: 200, duration_minutes: 15 },
    },
    {
      ...program,
      ...{ code: 'back_deep', name: '腰部深层放松', body_part: 'lower_back', premium: true },
      ...{ frequency_hz: 60, pulse_width_us: 220, duration_minutes: 20 },
    },
    {
      ...program,
      ...{ code: 'calf_recovery', name: '小腿运动恢复', body_part: 'calf', premium: true },
      ...{ frequency_hz: 10, pulse_width_us: 250, duration_minutes: 20 },
    },
  ],
}

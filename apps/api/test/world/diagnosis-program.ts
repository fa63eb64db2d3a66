/** A program that keeps every bound. */
export const relaxProgram = {
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
  contraindications: ['心脏起搏器', '孕妇', '癫痫'],
  premium: false,
}
/** What phones read where there is this program alone. */
export const relaxContent = { body_parts: [{ code: 'neck', name: '颈部' }], programs: [relaxProgram] }

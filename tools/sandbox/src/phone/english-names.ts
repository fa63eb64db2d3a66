/**
 * The names that an installation and a sandbox begin with, in English. The API knows each name in the one language in
 * which operators wrote it: what they have renamed is shown as they wrote it.
 */
export const englishNames: Readonly<Record<string, string>> = {
  月度会员: 'Monthly plan',
  季度会员: 'Quarterly plan',
  年度会员: 'Yearly plan',
  热门: 'Popular',
  最划算: 'Best value',
  肩部: 'Shoulder',
  腰部: 'Lower back',
  小腿: 'Calf',
  肩部舒缓: 'Shoulder relief',
  腰部深层放松: 'Deep relaxation, lower back',
  小腿运动恢复: 'Calf recovery after sports',
  心脏起搏器等体内电子装置: 'A pacemaker or another electronic implant',
  孕妇: 'Pregnancy',
  癫痫: 'Epilepsy',
  治疗部位皮肤破损: 'Broken skin where it would be treated',
}

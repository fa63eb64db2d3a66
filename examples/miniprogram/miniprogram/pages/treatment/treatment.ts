import { meridian, tellProblem } from '../../client'
import { keepReport, sendUnsent } from '../../unsent'

type Row = { code: string; name: string; minutes: string; locked: boolean }

Page({
  data: { rows: [] satisfies Row[] as Row[] },

  async onShow() {
    try {
      const { programs } = await meridian.diagnosisConfig()
      const rows = programs.map(({ code, name, locked, duration_minutes }) => ({
        code,
        name,
        locked,
        minutes: duration_minutes === undefined ? '' : `${duration_minutes} 分钟`,
      }))
      this.setData({ rows })
    } catch (error) {
      tellProblem(error)
    }
  },

  /** The parameters of the program go to the wearable; what it did is stored as a treatment. */
  async start({ currentTarget }: WechatMiniprogram.BaseEvent) {
    const { code, locked } = currentTarget.dataset
    if (locked) return void wx.switchTab({ url: '/pages/plans/plans' })
    const now = new Date().toISOString()
    keepReport({
      kind: 'treatment',
      program_code: String(code),
      started_at: now,
      ended_at: now,
      summary: {},
      measurements: [],
    })
    try {
      await sendUnsent()
      void wx.showToast({ title: '已记录' })
    } catch (error) {
      tellProblem(error)
    }
  },
})

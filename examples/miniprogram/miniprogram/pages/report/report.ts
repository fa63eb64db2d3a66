import { meridian, tellProblem } from '../../client'
import { keepReport, sendUnsent } from '../../unsent'

type Row = { id: string; started_at: string; score: number | null; locked: boolean }

Page({
  data: { rows: [] satisfies Row[] as Row[] },

  onShow() {
    void this.load()
  },

  async load() {
    try {
      await sendUnsent()
      this.setData({ rows: (await meridian.reports.list({ kind: 'scan' })).items })
    } catch (error) {
      tellProblem(error)
    }
  },

  async scan() {
    const now = new Date().toISOString()
    keepReport({
      kind: 'scan',
      started_at: now,
      ended_at: now,
      summary: {},
      // What the wearable measured belongs here.
      measurements: [],
    })
    await this.load()
  },
})

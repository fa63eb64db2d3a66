import { meridian, tellProblem } from '../../client'

type Row = { id: string; started_at: string; score: number | null; locked: boolean }

/** What a scan gave, until it is stored: with its number it may be sent as often as it takes. */
type Scan = Parameters<typeof meridian.reports.store>[0]
const unsentAt = 'scan-to-send'

Page({
  data: { rows: [] satisfies Row[] as Row[] },

  onShow() {
    void this.load()
  },

  async load() {
    try {
      await this.sendUnsent()
      this.setData({ rows: (await meridian.reports.list({ kind: 'scan' })).items })
    } catch (error) {
      tellProblem(error)
    }
  },

  async scan() {
    const now = new Date().toISOString()
    const scan: Scan = {
      client_report_id: `${Date.now()}-${Math.floor(Math.random() * 1e9)}`,
      kind: 'scan',
      started_at: now,
      ended_at: now,
      summary: {},
      // What the wearable measured belongs here.
      measurements: [],
    }
    wx.setStorageSync(unsentAt, scan)
    await this.load()
  },

  async sendUnsent() {
    const scan: Scan | '' = wx.getStorageSync(unsentAt)
    if (scan === '') return
    await meridian.reports.store(scan)
    wx.removeStorageSync(unsentAt)
  },
})

import type { Plan } from '@meridian/miniprogram-client'
import { meridian, tellProblem, yuan } from '../../client'

type Row = Plan & { price: string; days: string }

Page({
  data: { rows: [] satisfies Row[] as Row[], allowed: true, message: '', state: '', notice: '' },

  onShow() {
    void this.load()
  },

  onPullDownRefresh() {
    void this.load().then(() => wx.stopPullDownRefresh())
  },

  async load() {
    const { plans, sale, builtIn } = await meridian.plans()
    const rows = plans.map((plan) => ({
      ...plan,
      price: yuan(plan.price_fen),
      days: `${plan.duration_days} 天`,
    }))
    const notice = builtIn ? '暂时无法连接服务器，价格以支付时为准' : ''
    this.setData({ rows, allowed: sale.allowed, message: sale.message ?? '', notice })
    try {
      const { is_active, remaining_days } = await meridian.subscription()
      this.setData({ state: is_active ? `订阅有效，剩余 ${remaining_days} 天` : '尚未订阅' })
    } catch (error) {
      tellProblem(error)
    }
  },

  choose({ currentTarget }: WechatMiniprogram.BaseEvent) {
    const { code, fen } = currentTarget.dataset
    void wx.navigateTo({ url: `/pages/pay/pay?code=${code}&fen=${fen}` })
  },
})

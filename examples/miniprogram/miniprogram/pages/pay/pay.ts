import { meridian, tellProblem, yuan } from '../../client'

const words = {
  ready: '确认后将打开付款页面',
  busy: '正在确认支付结果…',
  paid: '支付成功，订阅已生效',
  pending: '正在等待支付平台确认，钱款不会丢失',
  cancelled: '已取消，可以稍后再付',
  refused: '付款页面没有打开，没有扣款，请稍后再试',
  closed: '订单已关闭，没有扣款，可以重新支付',
}

type State = keyof typeof words

Page({
  data: { code: '', fen: 0, price: '', state: 'ready', words: words.ready },

  onLoad({ code = '', fen = '0' }: Partial<Record<string, string>>) {
    this.setData({ code, fen: Number(fen), price: yuan(Number(fen)) })
  },

  /** Whoever comes back to a pending payment learns what became of it. */
  async onShow() {
    if (this.data.state !== 'pending') return
    const outcome = await meridian.resume()
    if (outcome) this.tell(outcome.kind)
  },

  async pay() {
    this.tell('busy')
    try {
      const outcome = await meridian.pay({ code: this.data.code, price_fen: this.data.fen })
      const isRefused = outcome.kind === 'cancelled' && outcome.sheetError !== undefined
      this.tell(isRefused ? 'refused' : outcome.kind)
    } catch (error) {
      // Only before the sheet was opened: nothing was paid.
      this.tell('ready')
      tellProblem(error)
    }
  },

  tell(state: State) {
    this.setData({ state, words: words[state] })
  },

  done() {
    void wx.navigateBack()
  },
})

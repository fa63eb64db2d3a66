import { createClient, isProblem, onWx } from '@meridian/miniprogram-client'

/** Everything this mini-program does with the API goes through here. */
export const meridian = createClient({ baseUrl: 'https://api.example.com', phone: onWx(wx) })

/** Says what went wrong in the server's own words. */
export function tellProblem(error: unknown): void {
  const title = isProblem(error) && error.title !== '' ? error.title : '网络不太好，请稍后再试'
  void wx.showToast({ title, icon: 'none' })
}

export const yuan = (fen: number): string => `¥${(fen / 100).toFixed(2)}`

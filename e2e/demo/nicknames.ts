const firsts = ['晓', '大', '小', '阿', '老', '云', '雨', '清', '安', '子', '思', '佳'] as const
const seconds = ['雨', '海', '宁', '杰', '琳', '峰', '雪', '航', '薇', '川', '然', '月', '彤'] as const

/** What WeChat users call themselves: another name for each of the first 156. */
export function nicknameOf(person: number): string {
  const first = firsts[person % firsts.length] ?? ''
  const second = seconds[person % seconds.length] ?? ''
  const turn = Math.floor(person / (firsts.length * seconds.length))
  return turn === 0 ? `${first}${second}` : `${first}${second}${turn + 1}`
}

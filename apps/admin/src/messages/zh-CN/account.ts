export const account = {
  title: '我的账号',
  identity: '身份',
  email: '邮箱',
  name: '姓名',
  role: '角色',
  changePassword: '修改密码',
  factor: {
    title: '两步验证',
    on: '已启用',
    off: '未设置',
    offHint: '登录时除了密码，再要求手机上的一次性验证码。涉及资金、设置和个人信息的操作需要先启用。',
    codesLeft: '剩余恢复码 {count, number} 个',
    disabledReason:
      '{time}（北京时间）之前，新设置的两步验证可以登录，但不能用于验证身份。{owners, select, none {目前没有其他所有者可以提前确认。} other {可以请所有者提前确认：{owners}。}}',
    setUp: '设置两步验证',
    replace: '更换验证器',
    renew: '更换恢复码',
    giveUp: '停用两步验证',
    givenUp: '两步验证已停用',
  },
} as const

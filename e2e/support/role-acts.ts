import type { Permission } from '@meridian/contracts'
import type { Desks } from './furnish-desks.ts'
import { plantedEndpoint } from './plant-developers.ts'
import { closableMonth } from './planted-desks.ts'

/** A button that a permission opens, on the page where it stands; in the row with that text where there are several. */
export type Act = { path: string; button: string; row?: string }

/** A page that a permission opens: what it shows then, and what it says otherwise; `narrow` is one that only shows less. */
export type Gate = { path: string; shows: string; refusal: string; narrow?: true }

/** Every permission of the one table, and where the console makes good on it. */
export function actsAt(desks: Desks): Record<Permission, readonly (Act | Gate)[]> {
  const order = (outTradeNo: string) => `/orders/${outTradeNo}`
  const on = (path: string, ...buttons: string[]) => buttons.map((button) => ({ path, button }))
  const inRow = (path: string, row: string, ...buttons: string[]) =>
    buttons.map((button) => ({ path, row, button }))
  const { paid, unpaid, parked, tooLate, serial, userId } = desks
  return {
    'order.sync': on(order(unpaid), '同步支付状态'),
    'order.close': on(order(unpaid), '关闭订单'),
    'order.decide': inRow('/alerts', parked, '作出决定'),
    'order.decide_late': [...inRow('/alerts', tooLate, '作出决定'), ...on(order(tooLate), '作出决定')],
    'refund.request': on(order(paid), '退款'),
    'refund.approve': on(`/refunds/${desks.requested}`, '批准', '驳回'),
    'refund.retry': on(`/refunds/${desks.abnormal}`, '改退到其他账户', '向微信查询或重试'),
    'subscription.grant': on(`/subscriptions/${userId}`, '调整天数'),
    'grant.approve': on(`/subscriptions/${userId}`, '批准', '驳回'),
    'user.disable': on(`/users/${userId}`, '停用用户'),
    'user.sessions': on(`/users/${userId}`, '结束全部会话'),
    'note.write': [...on(`/users/${userId}`, '添加备注'), ...on(order(paid), '添加备注')],
    'tag.set': [`/users/${userId}`, order(paid), `/devices/${serial}`].flatMap((path) =>
      on(path, '添加标签'),
    ),
    'tag.manage': [
      ...on('/tags', '新建标签'),
      { path: '/tags', shows: '重点客户', refusal: '不能查看标签列表' },
    ],
    'api_key.manage': [
      ...on('/developers', '新建 API 密钥'),
      { path: '/developers', shows: 'mk_Meri26…', refusal: '不能查看 API 密钥' },
      ...on('/developers/webhooks', '添加地址'),
      { path: '/developers/webhooks', shows: 'CRM', refusal: '不能查看 Webhook' },
      { path: `/developers/webhooks/${plantedEndpoint}`, shows: '投递失败', refusal: '不能查看 Webhook' },
    ],
    'import.manage': [{ path: '/developers/imports', shows: '选择 CSV 文件', refusal: '不能查看导入' }],
    'identifier.reveal': on(`/users/${userId}`, '查看完整身份'),
    'device.import': [
      ...on('/devices', '导入设备'),
      { path: '/devices/import', shows: '选择 CSV 文件', refusal: '不能导入设备' },
    ],
    'device.disable': on(`/devices/${serial}`, '停用设备'),
    'device.unbind': on(`/devices/${serial}`, '解绑设备'),
    'report.read': [
      { path: '/reports', shows: '报告列表', refusal: '不能查看报告' },
      { path: `/reports/${desks.report}`, shows: '测量数据', refusal: '不能查看报告' },
    ],
    'diagnosis.edit': on('/diagnosis', '新建草稿'),
    // Publishing is offered once a draft is valid; the journey of the diagnosis configuration presses it.
    'diagnosis.publish': [],
    'notification.payload': on(`/notifications/${desks.notification}`, '查看完整报文'),
    'notification.replay': on(`/notifications/${desks.notification}`, '试运行与重放'),
    'alert.channels': [
      {
        path: '/alerts/channels',
        shows: '告警还没有发往控制台以外的任何地方',
        refusal: '没有权限查看告警渠道',
      },
    ],
    'inbox.assign': inRow('/inbox?view=all&kind=order&limit=100', parked, '指派或推迟'),
    'alert.resolve': inRow('/alerts?view=alerts', paid, '认领'),
    'reconciliation.resolve': [
      ...on('/reconciliation', '发起对账'),
      ...on(`/reconciliation/${desks.openDay}`, '认领', '解决', '发起对账'),
    ],
    'reconciliation.close_day': on(`/reconciliation/${desks.closableDay}`, '关账'),
    'month.close': on(`/finance?month=${closableMonth}`, '月度关账'),
    'shipping.retry': inRow('/shipping', paid, '重试'),
    'plan.edit': [...on('/plans', '新建套餐'), ...on('/plans/monthly', '修改套餐', '改价')],
    // Both are in dialogs over a kept view, which has an owner besides a role.
    'view.share': [],
    'view.remove_any': [],
    // In the world of the journeys an owner has hidden it.
    'checklist.hide_for_all': on('/getting-started', '对所有人显示'),
    // Offered where the sandbox was told how to play; the journey of a new shop presses it.
    'sample_data.play': [],
    'setting.edit': on('/settings', '修改'),
    'key.read': [{ path: '/keys', shows: '商户证书序列号', refusal: '没有权限查看密钥' }],
    'job.manage': [{ path: '/jobs', shows: '定时任务', refusal: '没有权限查看后台任务' }],
    'operator.manage': [
      ...on('/staff', '添加操作员'),
      { path: '/staff', shows: 'finance@meridian.test', refusal: '没有权限查看操作员' },
    ],
    'audit.everybody': [
      { path: '/audit', shows: '审计日志', refusal: '我的操作记录', narrow: true },
      ...on('/audit', '导出'),
    ],
    'export.orders': on('/orders', '导出'),
    'export.schedule': on('/exports', '设置定时导出'),
    'export.lists': [
      ...['/refunds', '/subscriptions', '/users', '/devices', '/approvals'].flatMap((path) =>
        on(path, '导出'),
      ),
      ...['/alerts?view=alerts', '/notifications?view=rejected'].flatMap((path) => on(path, '导出')),
      ...on(`/subscriptions/${userId}`, '导出账本'),
      ...on(`/users/${userId}`, '导出账本'),
    ],
  }
}

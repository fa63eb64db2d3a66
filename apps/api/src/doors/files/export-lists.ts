import {
  DeviceListQuery,
  type DeviceRow,
  type ExportName,
  OrderListQuery,
  type OrderRow,
  RefundListQuery,
  type RefundRow,
  SubscriptionListQuery,
  type SubscriptionRow,
  UserListQuery,
  type UserRow,
} from '@meridian/contracts'
import type { Pool } from '@meridian/db'
import type { z } from 'zod'
import { listDevices } from '../../devices/list-devices.ts'
import { listOrders } from '../../orders/list-orders.ts'
import { listRefunds } from '../../refunds/list-refunds.ts'
import { listSubscriptions } from '../../subscriptions/list-subscriptions.ts'
import { listUsers } from '../../users/list-users.ts'
import { type ExportColumn, inYuan, moment, text, yesNo } from './export-columns.ts'

const orderColumns: ExportColumn<OrderRow>[] = [
  text('订单号', 'Order no.', (order) => order.outTradeNo),
  text('状态', 'Status', (order) => order.status),
  text('套餐代码', 'Plan code', (order) => order.planCode),
  text('套餐', 'Plan', (order) => order.planName),
  text('金额（元）', 'Amount (yuan)', (order) => inYuan(order.amountFen)),
  text('已退款（元）', 'Refunded (yuan)', (order) => inYuan(order.refundedFen)),
  text('用户编号', 'User id', (order) => order.userId),
  text('微信支付交易号', 'WeChat transaction ID', (order) => order.transactionId),
  text('确认方式', 'Confirmed by', (order) => order.confirmedBy),
  yesNo('逾期付款', 'Late payment', (order) => order.late),
  yesNo('暂停处理', 'On hold', (order) => order.parked),
  moment('创建时间', 'Created', (order) => order.createdAt),
  moment('支付时间', 'Paid', (order) => order.paidAt),
]

const refundColumns: ExportColumn<RefundRow>[] = [
  text('退款单号', 'Refund no.', (refund) => refund.outRefundNo),
  text('订单号', 'Order no.', (refund) => refund.outTradeNo),
  text('金额（元）', 'Amount (yuan)', (refund) => inYuan(refund.amountFen)),
  text('状态', 'Status', (refund) => refund.state),
  text('原因', 'Reason', (refund) => refund.reason),
  yesNo('保留天数', 'Keeps days', (refund) => refund.keepDays),
  text('申请人', 'Requested by', (refund) => refund.requestedByEmail),
  text('批准人', 'Approved by', (refund) => refund.approvedByEmail),
  text('失败原因', 'Failure', (refund) => refund.failure),
  moment('申请时间', 'Requested', (refund) => refund.createdAt),
  moment('退款时间', 'Refunded', (refund) => refund.succeededAt),
]

const subscriptionColumns: ExportColumn<SubscriptionRow>[] = [
  text('用户编号', 'User id', (row) => row.userId),
  yesNo('有效', 'Active', (row) => row.isActive),
  text('剩余天数', 'Days left', (row) => row.remainingDays),
  moment('到期时间', 'Ends', (row) => row.expiresAt),
  text('套餐', 'Plan', (row) => row.planName),
  text('功能', 'Features', (row) => row.features.join(' ')),
]

const userColumns: ExportColumn<UserRow>[] = [
  text('用户编号', 'User id', (user) => user.id),
  text('昵称', 'Nickname', (user) => user.nickname),
  text('状态', 'State', (user) => user.state),
  text('剩余天数', 'Days left', (user) => user.remainingDays),
  text('设备数', 'Devices', (user) => user.devices),
  moment('首次登录', 'First login', (user) => user.createdAt),
]

const deviceColumns: ExportColumn<DeviceRow>[] = [
  text('序列号', 'Serial number', (device) => device.serialNumber),
  text('型号', 'Model', (device) => device.model),
  yesNo('库存', 'Inventory', (device) => device.inventory),
  yesNo('可证明', 'Can prove itself', (device) => device.hasSecret),
  text('用户编号', 'User id', (device) => device.owner?.userId ?? null),
  moment('绑定时间', 'Bound', (device) => device.owner?.boundAt ?? null),
  moment('停用时间', 'Disabled', (device) => device.disabledAt),
  moment('登记时间', 'First known', (device) => device.createdAt),
]

const ROWS_AT_ONCE = 1000

type Page<Row> = { items: Row[]; nextCursor: string | null }
type Paged = { limit: number; cursor?: string | undefined }
type Source<Query extends Paged, Row> = {
  Query: z.ZodType<Query>
  columns: ExportColumn<Row>[]
  list: (pool: Pool, query: Query) => Promise<Page<Row>>
}

/** A list as lines of a file: read page after page, so that no more than one is ever held. */
function exportOf<Query extends Paged, Row>({ Query, columns, list }: Source<Query, Row>) {
  return {
    columns: columns.map(({ zh, en }) => ({ zh, en })),
    /** The filter as it was understood; throws for one that is none. */
    read: (input: unknown): Query => Query.parse(input),
    lines: async function* (pool: Pool, input: unknown) {
      const query = Query.parse(input)
      let cursor: string | null | undefined
      do {
        const page: Page<Row> = await list(pool, {
          ...query,
          limit: ROWS_AT_ONCE,
          cursor: cursor ?? undefined,
        })
        for (const row of page.items) yield columns.map(({ cell }) => cell(row))
        cursor = page.nextCursor
      } while (cursor !== null)
    },
  }
}

/** Every list that may leave the console as a file. */
export const exports = {
  orders: exportOf({ Query: OrderListQuery, columns: orderColumns, list: listOrders }),
  refunds: exportOf({ Query: RefundListQuery, columns: refundColumns, list: listRefunds }),
  subscriptions: exportOf({
    Query: SubscriptionListQuery,
    columns: subscriptionColumns,
    list: listSubscriptions,
  }),
  users: exportOf({ Query: UserListQuery, columns: userColumns, list: listUsers }),
  devices: exportOf({ Query: DeviceListQuery, columns: deviceColumns, list: listDevices }),
} as const satisfies Record<ExportName, unknown>

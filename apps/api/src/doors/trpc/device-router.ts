import {
  DeviceAction,
  DeviceDetail,
  DeviceFilter,
  DeviceListQuery,
  DeviceReference,
  DeviceRow,
  RowCount,
  twoWayPageOf,
} from '@meridian/contracts'
import { countDevices, listDevices } from '../../devices/list-devices.ts'
import { disableDevice, enableDevice, unbindForOperator } from '../../devices/manage-device.ts'
import { showDevice } from '../../devices/show-device.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

export const deviceRouter = router({
  list: operatorProcedure
    .input(DeviceListQuery)
    .output(twoWayPageOf(DeviceRow))
    .query(({ ctx, input }) => listDevices(ctx.services.database.pool, input)),

  count: operatorProcedure
    .input(DeviceFilter)
    .output(RowCount)
    .query(({ ctx, input }) => countDevices(ctx.services.database.pool, input)),

  detail: operatorProcedure
    .input(DeviceReference)
    .output(DeviceDetail)
    .query(({ ctx, input }) => showDevice(ctx.services.database.pool, input.serialNumber)),

  disable: permittedProcedure('device.disable')
    .input(DeviceAction)
    .output(DeviceDetail)
    .mutation(async ({ ctx, input }) => {
      const { pool } = ctx.services.database
      await disableDevice(pool, input, ctx.actor)
      return showDevice(pool, input.serialNumber)
    }),

  enable: permittedProcedure('device.disable')
    .input(DeviceAction)
    .output(DeviceDetail)
    .mutation(async ({ ctx, input }) => {
      const { pool } = ctx.services.database
      await enableDevice(pool, input, ctx.actor)
      return showDevice(pool, input.serialNumber)
    }),

  unbind: permittedProcedure('device.unbind')
    .input(DeviceAction)
    .output(DeviceDetail)
    .mutation(async ({ ctx, input }) => {
      const { pool } = ctx.services.database
      await unbindForOperator(pool, input, ctx.actor)
      return showDevice(pool, input.serialNumber)
    }),
})

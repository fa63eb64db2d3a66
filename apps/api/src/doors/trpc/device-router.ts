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
import { countDevices, listDevices, showDevice } from '../../devices/list-devices.ts'
import { disableDevice, enableDevice, unbindForOperator } from '../../devices/manage-device.ts'
import { onPool, onPoolNaming, showingAfter } from './console-call.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

const show = onPoolNaming((pool, { serialNumber }: { serialNumber: string }, names) =>
  showDevice(pool, serialNumber, names),
)
const thenShow = showingAfter(show)

export const deviceRouter = router({
  list: operatorProcedure
    .input(DeviceListQuery)
    .output(twoWayPageOf(DeviceRow))
    .query(onPoolNaming(listDevices)),

  count: operatorProcedure.input(DeviceFilter).output(RowCount).query(onPool(countDevices)),

  detail: operatorProcedure.input(DeviceReference).output(DeviceDetail).query(show),

  disable: permittedProcedure('device.disable')
    .input(DeviceAction)
    .output(DeviceDetail)
    .mutation(thenShow(onPool(disableDevice))),

  enable: permittedProcedure('device.disable')
    .input(DeviceAction)
    .output(DeviceDetail)
    .mutation(thenShow(onPool(enableDevice))),

  unbind: permittedProcedure('device.unbind')
    .input(DeviceAction)
    .output(DeviceDetail)
    .mutation(thenShow(onPool(unbindForOperator))),
})

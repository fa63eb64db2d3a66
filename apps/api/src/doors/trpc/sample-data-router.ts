import { SampleData, SampleDataRequest } from '@meridian/contracts'
import { playSampleData, showSampleData } from '../../sample-data/play-sample.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

export const sampleDataRouter = router({
  show: operatorProcedure.output(SampleData).query(({ ctx }) => showSampleData(ctx.services)),

  play: permittedProcedure('sample_data.play')
    .input(SampleDataRequest)
    .output(SampleData)
    .mutation(({ ctx }) => playSampleData(ctx.services, ctx.actor)),
})

import {
  BigValueColorMode,
  BigValueGraphMode,
  type DataSourceRef,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  SortOrder,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import {
  type Threshold,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import * as stat from '@grafana/grafana-foundation-sdk/stat'
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries'

/** The Prometheus that the reader of a dashboard chooses. */
export const source: DataSourceRef = { type: 'prometheus', uid: '$datasource' }
/** The programs that the reader of a dashboard chooses. */
export const chosen = 'job=~"$job",instance=~"$instance"'

/** One line of a panel, or several that `legend` tells apart. */
export type Query = { expr: string; legend: string }

export type PanelPlan = {
  title: string
  /** What it says, and what is good or bad about it. */
  description: string
  /** A unit of Grafana: `s`, `percentunit`, `reqps`, `short`, `bytes`, `d`, `currencyCNY`. */
  unit: string
  queries: readonly Query[]
  /** From this value on it is bad; `below` where a small value is. */
  bad?: { from: number } | { below: number }
  /** Of 24 columns. */
  width?: number
}

function thresholdsOf(bad: PanelPlan['bad']): ThresholdsConfigBuilder {
  // A first step without a value reaches down to all smaller ones; Grafana writes it as null.
  const steps: Threshold[] =
    bad === undefined
      ? [{ value: null, color: 'green' }]
      : 'from' in bad
        ? [
            { value: null, color: 'green' },
            { value: bad.from, color: 'red' },
          ]
        : [
            { value: null, color: 'red' },
            { value: bad.below, color: 'green' },
          ]
  return new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps)
}

const refIds = 'ABCDEFGH'

function queriesOf({ queries }: PanelPlan): DataqueryBuilder[] {
  return queries.map(({ expr, legend }, index) =>
    new DataqueryBuilder()
      .datasource(source)
      .refId(refIds.charAt(index))
      .expr(expr)
      .legendFormat(legend)
      .range(),
  )
}

/** Lines over time, with a dashed line where it becomes bad. */
export function lines(plan: PanelPlan): timeseries.PanelBuilder {
  const legend = new VizLegendOptionsBuilder()
    .displayMode(LegendDisplayMode.List)
    .placement(LegendPlacement.Bottom)
    .showLegend(true)
    .calcs([])
  const style = plan.bad ? GraphThresholdsStyleMode.Dashed : GraphThresholdsStyleMode.Off
  return new timeseries.PanelBuilder()
    .title(plan.title)
    .description(plan.description)
    .datasource(source)
    .unit(plan.unit)
    .min(0)
    .thresholds(thresholdsOf(plan.bad))
    .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(style))
    .legend(legend)
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending))
    .fillOpacity(8)
    .span(plan.width ?? 12)
    .height(8)
    .targets(queriesOf(plan))
}

/** One number as it is now, coloured by whether it is good. */
export function figure(plan: PanelPlan): stat.PanelBuilder {
  return new stat.PanelBuilder()
    .title(plan.title)
    .description(plan.description)
    .datasource(source)
    .unit(plan.unit)
    .thresholds(thresholdsOf(plan.bad))
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false))
    .colorMode(BigValueColorMode.Background)
    .graphMode(BigValueGraphMode.None)
    .noValue('?')
    .span(plan.width ?? 4)
    .height(4)
    .targets(queriesOf(plan))
}

import {
  AnnotationQueryBuilder,
  type Dashboard,
  DashboardBuilder,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  type Panel,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { chosen, source } from './make-panel.ts'

/** What builds a panel: those of lines and of figures alike. */
type PanelBuilder = { build: () => Panel; id: (id: number) => PanelBuilder }
export type Row = { title: string; panels: readonly PanelBuilder[] }
export type DashboardPlan = {
  /** The last part of its address, and the name of its file. */
  name: string
  title: string
  description: string
  /** Which jobs of Prometheus can be chosen, as a regular expression. */
  jobs: string
  rows: readonly Row[]
}

const choiceOf = (name: string, query: string) =>
  new QueryVariableBuilder(name)
    .datasource(source)
    .query(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc)
    .multi(true)
    .includeAll(true)
    .current({ selected: true, text: 'All', value: '$__all' })

const markOf = (name: string, color: string, { expr, text }: { expr: string; text: string }) =>
  new AnnotationQueryBuilder()
    .name(name)
    .datasource(source)
    .enable(true)
    .iconColor(color)
    .expr(expr)
    .titleFormat(name)
    .textFormat(text)
    .step('1m')

/** What every dashboard has: who is looked at, what is marked on the time axis, and the way to the others. */
export function makeDashboard({ name, title, description, jobs, rows }: DashboardPlan): Dashboard {
  const dashboard = new DashboardBuilder(`Meridian: ${title}`)
    .uid(`meridian-${name}`)
    .description(description)
    .tags(['meridian'])
    .timezone('browser')
    .readonly()
    .refresh('30s')
    .time({ from: 'now-6h', to: 'now' })
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(choiceOf('job', `label_values(up{job=~"${jobs}"}, job)`).label('Program'))
    .withVariable(choiceOf('instance', 'label_values(up{job=~"$job"}, instance)').label('Replica'))
    .annotation(
      markOf('Start of a process', 'blue', {
        expr: `changes(process_start_time_seconds{${chosen}}[2m]) > 0`,
        text: '{{job}} {{instance}}',
      }),
    )
    .annotation(
      markOf('Critical alert', 'red', {
        expr: 'ALERTS{alertstate="firing",severity="critical"}',
        text: '{{alertname}} {{kind}}',
      }),
    )
    .link(
      new DashboardLinkBuilder('Meridian')
        .type(DashboardLinkType.Dashboards)
        .tags(['meridian'])
        .includeVars(false)
        .keepTime(true),
    )
  // Numbered from 1 in reading order, so that an address can name a panel.
  let id = 0
  for (const row of rows) {
    id += 1
    dashboard.withRow(new RowBuilder(row.title).id(id))
    for (const panel of row.panels) {
      id += 1
      dashboard.withPanel(panel.id(id))
    }
  }
  return dashboard.build()
}

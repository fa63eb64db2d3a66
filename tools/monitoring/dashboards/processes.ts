import type { Row } from './make-dashboard.ts'
import { chosen, lines } from './make-panel.ts'

/** How the chosen processes are, whatever they do. */
export const processes: Row = {
  title: 'Processes',
  panels: [
    lines({
      title: 'Delay of the event loop, 99th percentile',
      description: 'How late the process takes up work.',
      unit: 's',
      bad: { from: 0.25 },
      queries: [{ expr: `nodejs_eventloop_lag_p99_seconds{${chosen}}`, legend: '{{job}} {{instance}}' }],
    }),
    lines({
      title: 'Processor',
      description: 'Cores that are in use; one process computes on about one.',
      unit: 'short',
      queries: [
        {
          expr: `rate(process_cpu_seconds_total{${chosen}}[$__rate_interval])`,
          legend: '{{job}} {{instance}}',
        },
      ],
    }),
    lines({
      title: 'Memory',
      description: 'Of the whole process, and of it what JavaScript uses.',
      unit: 'bytes',
      queries: [
        { expr: `process_resident_memory_bytes{${chosen}}`, legend: '{{job}} {{instance}}' },
        { expr: `nodejs_heap_size_used_bytes{${chosen}}`, legend: '{{job}} {{instance}} JavaScript' },
      ],
    }),
    lines({
      title: 'Time in garbage collection',
      description: 'Share of each second.',
      unit: 'percentunit',
      queries: [
        {
          expr: `sum by (job, instance) (rate(nodejs_gc_duration_seconds_sum{${chosen}}[$__rate_interval]))`,
          legend: '{{job}} {{instance}}',
        },
      ],
    }),
    lines({
      title: 'Age of each process',
      description: 'Falls to nothing where it starts anew.',
      unit: 's',
      queries: [{ expr: `time() - process_start_time_seconds{${chosen}}`, legend: '{{job}} {{instance}}' }],
    }),
    lines({
      title: 'Open files and sockets',
      description: 'Of the process.',
      unit: 'short',
      queries: [{ expr: `process_open_fds{${chosen}}`, legend: '{{job}} {{instance}}' }],
    }),
  ],
}

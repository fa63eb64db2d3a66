import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardFiles } from './dashboards/all-dashboards.ts'

const folder = join(import.meta.dirname, '../../deploy/grafana/dashboards')
for (const { file, text } of dashboardFiles) writeFileSync(join(folder, file), text)

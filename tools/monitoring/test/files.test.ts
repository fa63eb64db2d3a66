import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dashboardFiles } from '../dashboards/all-dashboards.ts'
import { dashboards } from '../read-dashboards.ts'
import { alertRules, dashboardFolder, ruleCases } from '../read-rules.ts'

describe('dashboards', () => {
  test('are the files that their plans make: `npx tsx tools/monitoring/write-dashboards.ts` writes them', () => {
    expect(readdirSync(dashboardFolder).sort()).toEqual(dashboardFiles.map(({ file }) => file).sort())
    for (const { file, text } of dashboardFiles)
      expect(readFileSync(join(dashboardFolder, file), 'utf8'), file).toBe(text)
  })

  test('have an address of their own, and panels that are numbered once', () => {
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(5)
    for (const { file, panels } of dashboards)
      expect(new Set(panels.map(({ id }) => id)).size, file).toBe(panels.length)
  })

  test('lay their panels side by side within 24 columns', () => {
    for (const { file, panels } of dashboards) {
      const cells = panels.flatMap(({ title, gridPos: { x, y, w, h } }) => {
        expect(x + w, `${file}, ${title}`).toBeLessThanOrEqual(24)
        return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`)
      })
      expect(new Set(cells).size, file).toBe(cells.length)
    }
  })

  test('say with each panel what it shows, and show something', () => {
    const mute = dashboards.flatMap(({ file, panels }) =>
      panels
        .filter(
          ({ type, description, targets = [] }) => type !== 'row' && (!description || targets.length === 0),
        )
        .map(({ title }) => `${file}, ${title}`),
    )
    expect(mute).toEqual([])
  })
})

describe('rules', () => {
  test('have a case that fires, for each severity, and a case that does not', () => {
    expect(alertRules.length).toBeGreaterThan(30)
    const fired = new Set(
      ruleCases.flatMap(({ alert, fired: all }) =>
        all.map((labels) => [alert, ...Object.entries(labels)].flat().join(' ')),
      ),
    )
    const untried = alertRules.filter(
      ({ alert, labels }) =>
        ![...fired].some((one) =>
          [alert, ...Object.entries(labels).map((entry) => entry.join(' '))].every((part) =>
            one.includes(part),
          ),
        ),
    )
    expect(untried.map(({ alert }) => alert)).toEqual([])
    const quiet = new Set(ruleCases.filter((one) => one.fired.length === 0).map(({ alert }) => alert))
    const neverQuiet = alertRules.map(({ alert }) => alert).filter((alert) => !quiet.has(alert))
    // The watchdog is there to fire.
    expect(neverQuiet).toEqual(['watchdog'])
  })
})

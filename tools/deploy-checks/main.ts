import { composeChecks } from './checks/compose.ts'
import { kubernetesChecks } from './checks/kubernetes.ts'
import { patroniChecks } from './checks/patroni.ts'
import { pgbackrestChecks } from './checks/pgbackrest.ts'
import { pgbouncerChecks } from './checks/pgbouncer.ts'
import { prometheusChecks } from './checks/prometheus.ts'
import { proxyChecks } from './checks/proxies.ts'
import { scriptChecks } from './checks/scripts.ts'
import { systemdChecks } from './checks/systemd.ts'
import { describeOutcome, runCheck, summarise } from './run-checks.ts'

const checks = [
  ...composeChecks,
  ...kubernetesChecks,
  ...proxyChecks,
  ...patroniChecks,
  ...pgbouncerChecks,
  ...prometheusChecks,
  ...pgbackrestChecks,
  ...systemdChecks,
  ...scriptChecks,
]

const outcomes = []
for (const check of checks) {
  const outcome = await runCheck(check)
  outcomes.push(outcome)
  console.log(describeOutcome(outcome))
}
console.log(summarise(outcomes))
process.exitCode = outcomes.some(({ verdict }) => verdict === 'failed') ? 1 : 0

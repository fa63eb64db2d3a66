import { join } from 'node:path'
import { deployFolder } from '../config.ts'
import type { DeployCheck } from '../deploy-check.ts'
import { checkResources, readResources, renderKustomization } from '../read-kubernetes.ts'
import { askProgram } from '../run-program.ts'

const rulesScript = join(deployFolder, 'kubernetes/components/prometheus-operator/prometheus-rules.sh')

async function checkRules(): Promise<void> {
  const resources = readResources(await askProgram(['sh', rulesScript]))
  if (resources.length === 0) throw new Error('there are no rules')
  await checkResources(resources)
}

/** deploy/kubernetes as Kustomize renders it, against the schemas of Kubernetes and of the two operators. */
export const kubernetesChecks: readonly DeployCheck[] = [
  ...['base', 'overlays/production', 'overlays/sandbox'].map((folder) => ({
    name: `Kubernetes takes ${folder}`,
    programs: ['kubectl'],
    run: async () => checkResources(await renderKustomization(folder)),
  })),
  { name: 'the Prometheus operator takes the rules', programs: ['sh'], run: checkRules },
]

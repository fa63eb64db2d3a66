import { X509Certificate } from 'node:crypto'
import { chinaTime } from '../endpoints/orders.ts'
import type { EndpointRequest, PlatformEndpoint } from './endpoint-request.ts'
import { ok, Refusal, type Reply } from './reply.ts'
import { sealResource } from './sign-and-seal.ts'

function listCertificates({ state }: EndpointRequest): Reply {
  const { apiV3Key, certificates } = state.keys
  if (state.keyMode === 'public_key') {
    throw new Refusal(404, {
      code: 'RESOURCE_NOT_EXISTS',
      message: '无可用的平台证书，请在商户平台-API安全申请使用微信支付公钥',
    })
  }
  const data = certificates.map(({ serial, certificate }) => {
    const { validFrom, validTo } = new X509Certificate(certificate)
    return {
      serial_no: serial,
      effective_time: chinaTime(new Date(validFrom)),
      expire_time: chinaTime(new Date(validTo)),
      encrypt_certificate: sealResource(certificate, { apiV3Key, associatedData: 'certificate' }),
    }
  })
  return ok({ data })
}

/** Platform certificates, encrypted; merchants with a public key have none (protocol §2.1, §2.2). */
export const certificateEndpoint: PlatformEndpoint = {
  method: 'GET',
  path: /^\/v3\/certificates$/,
  place: 'certificates',
  answer: listCertificates,
}

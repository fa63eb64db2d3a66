#!/bin/sh
# Prints deploy/prometheus/rules as PrometheusRule resources: prometheus-rules.sh | kubectl apply --namespace meridian -f -
set -eu

rules=$(cd "$(dirname "$0")/../../../prometheus/rules" && pwd)
for file in "$rules"/*.yml; do
  cat <<HEAD
---
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: meridian-$(basename "$file" .yml)
  labels: { app.kubernetes.io/part-of: meridian, release: prometheus }
spec:
HEAD
  sed -e '/^---/d' -e 's/^\(.\)/  \1/' "$file"
done

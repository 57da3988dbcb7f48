{{- define "anteroom.name" -}}
{{- if contains "anteroom" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-anteroom" (.Release.Name | trunc 40 | trimSuffix "-") }}{{ end }}
{{- end }}

{{- define "anteroom.selectorLabels" -}}
app.kubernetes.io/name: anteroom
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "anteroom.labels" -}}
{{ include "anteroom.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{/* The host, and the port where publicUrl has one: a node answers 421 to every other Host. */}}
{{- define "anteroom.host" -}}
{{- trimPrefix "https://" .Values.publicUrl }}
{{- end }}

{{/* The host alone, for Ingress. */}}
{{- define "anteroom.hostName" -}}
{{- include "anteroom.host" . | splitList ":" | first }}
{{- end }}

{{- define "anteroom.image" -}}
{{- if .Values.image.digest }}{{ printf "%s@%s" .Values.image.repository .Values.image.digest }}{{ else }}{{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}{{ end }}
{{- end }}

{{/* More than `longestSeconds` in the log line `stopping`: the sum of these settings and 3 seconds. */}}
{{- define "anteroom.terminationGracePeriodSeconds" -}}
{{- $settings := .Values.settings }}
{{- add (int (default 3 $settings.DRAIN_SECONDS)) (int (default 1 $settings.HASH_QUEUE_SECONDS)) (int (default 1 $settings.DATABASE_CONNECTION_TIMEOUT_SECONDS)) (int (default 2 $settings.DATABASE_STATEMENT_TIMEOUT_SECONDS)) 13 }}
{{- end }}

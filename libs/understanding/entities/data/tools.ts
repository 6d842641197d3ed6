import { entriesOf } from './word-set.js';

/** Tools and products that are nothing else: known in any case of letters. */
export const plainTools = entriesOf(`
  postgresql, postgres, mysql, mariadb, sqlite, mongodb, redis, valkey, memcached, cassandra, scylladb, dynamodb, cockroachdb, couchdb, neo4j, clickhouse
  duckdb, elasticsearch, opensearch, solr, influxdb, timescaledb, pgvector, qdrant, weaviate, milvus, pinecone, chromadb, faiss, eventstoredb, kurrentdb
  kafka, rabbitmq, nats, activemq, zeromq, pulsar, celery, sidekiq, bullmq, kubernetes, k8s, docker, podman, containerd, helm, terraform, pulumi, ansible
  vagrant, nomad, istio, envoy, nginx, haproxy, traefik, caddy, apache, jenkins, circleci, github actions, gitlab ci, argocd, prometheus, grafana, loki
  jaeger, opentelemetry, kibana, logstash, sentry, pagerduty, splunk, aws, gcp, azure, ec2, s3, lambda, cloudfront, bigquery, redshift, lxc, cloudwatch
  python, javascript, typescript, java, kotlin, scala, golang, ruby, php, perl, haskell, erlang, elixir, clojure, c++, c#, f#, objective-c, matlab, fortran
  cobol, webassembly, wasm, graphql, grpc, protobuf, openapi, oauth, oauth2, jwt, saml, html5, css3, sass, tailwind, tailwindcss, bootstrap, webpack, vite
  rollup, esbuild, babel, eslint, prettier, biome, vitest, mocha, cypress, playwright, selenium, puppeteer, storybook, reactjs, vuejs, angular
  angularjs, svelte, sveltekit, solidjs, preact, jquery, redux, mobx, zustand, rxjs, nestjs, expressjs, fastify, koa, nextjs, nuxt, remix, astro, gatsby
  node.js, nodejs, vue.js, next.js, nuxt.js, react.js, three.js, d3.js, express.js, deno, django, flask, fastapi, pydantic, sqlalchemy, numpy, pandas, scipy
  scikit-learn, sklearn, pytorch, tensorflow, keras, jax, onnx, xgboost, lightgbm, langchain, llamaindex, ollama, vllm, llama.cpp, huggingface, jupyter
  airflow, dagster, dbt, hadoop, hive, flink, snowpark, spring boot, hibernate, maven, gradle, tomcat, quarkus, micronaut, laravel, symfony, rails
  ruby on rails, sinatra, phoenix liveview, asp.net, .net, dotnet, blazor, xamarin, maui, flutter, react native, swiftui, xcode, android studio, ionic
  electron, tauri, qt, gtk, opengl, vulkan, directx, unity3d, unreal engine, godot, vscode, vs code, visual studio, visual studio code, intellij, pycharm
  webstorm, neovim, vim, emacs, sublime text, notepad++, git, github, gitlab, bitbucket, subversion, mercurial, jira, confluence, trello, asana, notion
  obsidian, figma, photoshop, lightroom, indesign, premiere pro, final cut, blender, autocad, solidworks, linux, ubuntu, debian, fedora
  centos, rhel, alpine linux, freebsd, macos, ios, ipados, android, chromeos, systemd, bash, zsh, powershell, tmux, ssh, openssl, openssh, wireguard
  openvpn, tailscale, ansible tower, hashicorp vault, consul, etcd, zookeeper, npm, pnpm, yarn, pip, conda, poetry, homebrew, apt-get, cargo, nuget, chatgpt
  gpt-4, gpt-4o, gpt-5, gpt-3.5, claude code, claude, gemini, copilot, llama, deepseek, qwen, stable diffusion, midjourney, dall-e, whatsapp, wechat, telegram
  instagram, tiktok, youtube, gmail, outlook, google docs, google sheets, google maps, google drive, google calendar, google meet, microsoft teams
  excel, powerpoint, onedrive, icloud, iphone, ipad, macbook, macbook pro, macbook air, airpods, apple watch, kindle, fitbit, garmin, playstation, xbox
  nintendo switch, raspberry pi, arduino, esp32, alexa, roomba, gopro, thinkpad, strava, duolingo, netflix, spotify, paypal, venmo, twilio, sendgrid, auth0
  okta, keycloak, supabase, firebase, planetscale, neon postgres, prisma, typeorm, drizzle orm, sequelize, mongoose, kysely, liquibase, flyway, zod, trpc
  mcp, huggingface hub, minio, ceph, wordpress, drupal, magento, shopify, woocommerce, webflow, squarespace, zapier, n8n, airtable, hubspot, zendesk, intercom`);

/** Tools that are words, too: only with a capital, and not as the first word of a sentence. */
export const capitalTools = entriesOf(`
  react, vue, express, spring, swift, rust, go, spark, flow, jest, parcel, chrome, firefox, safari, edge, opera, windows, office, word, teams, slack, zoom
  unity, unreal, sketch, rider, atom, eclipse, ray, vault, bazel, bun, node, next, ember, backbone, meteor, julia, r, dart, crystal, nim, zig, lua
  photos, maps, siri, cortana, echo, surface, pixel, galaxy, switch, steam, discord, signal, line, signal messenger, access, oracle, snowflake, databricks
  looker, tableau, presto, trino, druid, pinot, storm, beam, samza, chef, puppet, salt, packer, consul connect, drone, travis, bamboo, octopus, argo, flux
  linkerd, kong, tyk, apollo, relay, hasura, strapi, ghost, hugo, jekyll, pelican, sphinx, bard, cursor, windsurf, devin, canva, miro, loom, linear`);

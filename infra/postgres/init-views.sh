#!/bin/sh
# Roles of the views' database, made when its volume is: the projector's owns the tables, the readers' sees one bank at a time.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres --dbname "$POSTGRES_DB" \
  --set owner_password="$VIEWS_OWNER_PASSWORD" --set reader_password="$VIEWS_READER_PASSWORD" <<'SQL'
CREATE EXTENSION IF NOT EXISTS vector;
CREATE ROLE hindsight_query NOLOGIN;
CREATE ROLE hindsight_projector LOGIN PASSWORD :'owner_password';
CREATE ROLE hindsight_reader LOGIN PASSWORD :'reader_password' IN ROLE hindsight_query;
REVOKE ALL ON DATABASE hindsight FROM PUBLIC;
GRANT CONNECT, CREATE, TEMPORARY ON DATABASE hindsight TO hindsight_projector;
GRANT CONNECT ON DATABASE hindsight TO hindsight_reader;
SQL

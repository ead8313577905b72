/** Types of the API, made from its OpenAPI document by `npm run client`. */

export interface paths {
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * State of the service
         * @description Needs no token.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The resolved enforcement context
         * @description Needs a token or session.
         */
        get: operations["context"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Registered scopes that the caller may use
         * @description Needs the permission read.
         */
        get: operations["scopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scopes/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes an empty scope
         * @description Needs the permission admin.
         */
        delete: operations["removeScope"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hybrid search
         * @description Needs the permission read.
         */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A grounded, cited answer
         * @description Needs the permission read, and a tier with answers.
         */
        post: operations["answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/similar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Units like a Unit, or like the picture or sound in the body
         * @description Needs the permission read.
         */
        post: operations["similar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/units": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Units by time, or by their ids
         * @description Needs the permission read.
         */
        get: operations["units"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/units/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One Unit
         * @description Needs the permission read.
         */
        get: operations["unit"];
        put?: never;
        post?: never;
        /**
         * Deletes one Unit; with the last one of a file, the file
         * @description Needs the permission write.
         */
        delete: operations["removeUnit"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/units/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A picture of a Unit: the page, the crop, the frame, the waveform
         * @description Needs the permission read.
         */
        get: operations["preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stores a batch of Units, whole or not at all
         * @description Needs the permission write.
         */
        post: operations["ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Files by time, newest first
         * @description Needs the permission read.
         */
        get: operations["files"];
        put?: never;
        /**
         * Takes a file in and makes Units of it; with wait=true, answers when they are searchable
         * @description Needs the permission write.
         */
        post: operations["putFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file and its Units
         * @description Needs the permission read.
         */
        get: operations["file"];
        put?: never;
        post?: never;
        /**
         * Deletes a file with its Units
         * @description Needs the permission write.
         */
        delete: operations["removeFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The bytes of a file; takes a Range
         * @description Needs the permission read.
         */
        get: operations["fileContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far the work on a file is
         * @description Needs the permission read.
         */
        get: operations["job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Catalog stats over what the caller may read
         * @description Needs the permission read.
         */
        get: operations["stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The models inside the executable, with their licences
         * @description Needs a token or session.
         */
        get: operations["models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rows of the audit chain, newest first
         * @description Needs the permission read or admin, and a tier with audit.
         */
        get: operations["audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recomputes the audit chain
         * @description Needs the permission read or admin.
         */
        get: operations["verify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * (Re)seeds the demo: open until a token exists, then for admins of the namespace demo
         * @description Needs the permission admin.
         */
        post: operations["seed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/reread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reads stored files again that older extractors read, a page of files a call
         * @description Needs the permission admin.
         */
        post: operations["reread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * API tokens, live and revoked, without their secrets
         * @description Needs the permission admin.
         */
        get: operations["tokens"];
        put?: never;
        /**
         * Makes an API token, and its principal when that is new; never with more than the caller has
         * @description Needs the permission admin.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revokes an API token, and ends the sessions made from it
         * @description Needs the permission admin.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges an API token for a console session cookie
         * @description Needs no token but that of its body.
         */
        post: operations["openSession"];
        /**
         * Ends the session of the cookie
         * @description Needs a token or session.
         */
        delete: operations["closeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Sentences of Units, each with its source and how sure it is. */
        Answer: {
            /** @description Plain text with inline markers `[1]`; empty when the status is `abstained`. */
            text: string;
            status: components["schemas"]["AnswerStatus"];
            nli_faithfulness: number | null;
            claims: components["schemas"]["Claim"][];
            citations: components["schemas"]["Citation"][];
            iterations: number;
            model: string;
        };
        /**
         * @description A query that wants an answer.
         * @example {
         *       "q": "why did turbine 7 stop?",
         *       "answer": true
         *     }
         */
        AnswerQuery: {
            q: string;
            /** @description Without it: 10. */
            top_k?: number;
            planes?: components["schemas"]["Plane"][];
            modalities?: components["schemas"]["Modality"][];
            /** @enum {string} */
            mode?: "hybrid" | "vector" | "fulltext";
            doc_id?: string;
            /** @constant */
            group_by?: "doc_id";
            /** @description With `group_by`, at most so many hits of each document. Without it: 1. */
            group_size?: number;
            /** @description What a place in each leg is worth; 1 by default. A leg of 0 is left out. */
            weights?: {
                vector?: number;
                fulltext?: number;
                labels?: number;
            };
            /** @description How much hits that are like ones before them fall behind. Without it: 0. */
            diversity?: number;
            /** @description Fields whose values are counted over the matches: those of filters that hold strings, and metadata.<key>. */
            facets?: string[];
            min_score?: number;
            rerank?: boolean;
            /** @constant */
            answer: true;
            explain?: boolean;
            /** @description Mongo-style filter; see docs/search.md. */
            filters?: {
                [key: string]: unknown;
            };
        };
        /** @description An answer, with the hits that it was looked for in. */
        AnswerResult: {
            hits: components["schemas"]["Hit"][];
            answer: components["schemas"]["Answer"];
            /** @description By field; only when the query asks for facets. */
            facets?: {
                [key: string]: {
                    /** @description The most frequent values first. */
                    values: {
                        value: string | number | boolean;
                        count: number;
                    }[];
                    /** @description True: every match was counted. False: each count is a lower bound. */
                    exact: boolean;
                };
            };
            trace: components["schemas"]["Trace"];
            context: components["schemas"]["Context"];
            hidden_by_acl: number;
        };
        /**
         * @description `abstained`: nothing that the caller may read answers the question.
         * @enum {string}
         */
        AnswerStatus: "answered" | "partial" | "abstained";
        /** @description Rows, newest first; `next_cursor` is the `cursor` of the next page, null behind the last. */
        AuditPage: {
            namespace: string;
            rows: components["schemas"]["AuditRow"][];
            count: number;
            next_cursor: number | null;
        };
        /** @description Whether the chain is intact; if not, the first row that breaks it, and why. */
        AuditReport: {
            namespace: string;
            intact: boolean;
            checked: number;
            head_seq: number;
            head_hash: string;
            break_at: number | null;
            reason: string | null;
        };
        /** @description A row of the audit chain. Who did what to what is null for a reader who may not know it; the hashes are for everybody. */
        AuditRow: {
            /**
             * @description Absent in rows of the first form.
             * @constant
             */
            v?: 2;
            seq: number;
            ts: number;
            namespace: string;
            principal_id: string | null;
            /** @enum {string} */
            action: "seed" | "ingest" | "search" | "answer" | "context" | "scopes.list" | "scope.delete" | "namespace.create" | "namespace.set" | "unit.get" | "unit.delete" | "unit.preview" | "units.list" | "similar" | "files.list" | "file.get" | "file.content" | "file.delete" | "files.reread" | "job.get" | "stats" | "audit.list" | "audit.verify" | "audit.rekey" | "session.create" | "session.delete" | "token.create" | "token.list" | "token.revoke";
            /** @enum {string} */
            outcome: "ok" | "denied" | "error";
            scope: string | null;
            target: string | null;
            detail: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** @description Base64url; only where the content is shown. */
            salt?: string;
            content_hash?: string;
            prev_hash: string;
            row_hash: string;
        };
        /** @description A box on a picture or page, as shares of its width and height from the top left. */
        BoundingBox: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "bbox";
            page?: number;
            x: number;
            y: number;
            w: number;
            h: number;
        };
        /** @description Counts over what the caller may read, per plane. */
        CatalogStats: {
            namespace: string;
            /** @enum {string} */
            language?: "en" | "any" | "ar" | "hy" | "da" | "nl" | "fi" | "fr" | "de" | "el" | "hi" | "hu" | "id" | "ga" | "it" | "lt" | "ne" | "no" | "pt" | "ro" | "ru" | "sr" | "es" | "sv" | "ta" | "tr" | "ja" | "th" | "vi" | "zh";
            scope: string;
            planes: components["schemas"]["PlaneStats"][];
            queries_per_day: number;
            storage: {
                object_store_gb: number;
                catalog_rows: number;
                vectors: number;
            };
        };
        /** @description UTF-16 code units of a text, from 0; the end is excluded. */
        CharSpan: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "char_span";
            start: number;
            end: number;
        };
        /** @description Where a claim stands: the quote with its neighbours, and in it, marked, what answers. All offsets count in the Unit's text. */
        Citation: {
            marker: number;
            unit_id: string;
            doc_id: string | null;
            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
            path?: string[];
            scope: string;
            modality: components["schemas"]["Modality"];
            plane: components["schemas"]["Plane"];
            source_uri: string | null;
            locator: components["schemas"]["Locator"] | null;
            quote: string;
            quote_start: number;
            quote_end: number;
            mark_start: number;
            mark_end: number;
        };
        /** @description A statement of the answer's text. `score`: probability that what is cited supports it, null where no verifier reads the language; `answers`: probability that it answers the question. */
        Claim: {
            start: number;
            end: number;
            verdict: ("entailed" | "neutral" | "contradicted") | null;
            score: number | null;
            answers: number;
            citations: number[];
        };
        /** @description Who asks, and what for: principal, scopes and permissions as they were resolved. */
        Context: {
            principal: components["schemas"]["Principal"];
            active_scope: string;
            requested_scope: string;
            effective_scopes: string[];
            allowed_scopes: string[];
            perms: components["schemas"]["Perm"][];
            folders_visible: number;
            folders_total: number;
        };
        /** @description Body of every refusal: its code, what is wrong in words, and the HTTP status once more. */
        Error: {
            error: components["schemas"]["ErrorCode"];
            detail: string;
            status: number;
        };
        /**
         * @description What a refusal is for programs.
         * @enum {string}
         */
        ErrorCode: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
        /** @description What the rank of a hit comes from; only where the query asks for it. */
        Explanation: {
            fusion: {
                leg: string;
                rank: number;
                contribution: number;
            }[];
            window: components["schemas"]["Span"] | null;
            terms: string[];
        };
        /** @description A stored file. */
        File: {
            file_id: string;
            doc_id: string;
            source_uri: string;
            name: string;
            kind: string;
            mime: string;
            bytes: number;
            sha256: string;
            scope: string;
            acl_owner: string;
            acl_groups: string[];
            metadata?: components["schemas"]["Metadata"];
            /** @description The version of the extractor of its kind that read it. */
            extractor: number;
            job: components["schemas"]["Job"] | null;
            created_at: number;
            updated_at: number;
            units: string[];
        };
        /** @description A file that is durable, and the job that reads it. */
        FileAccepted: {
            file_id: string;
            doc_id: string;
            source_uri: string;
            job: components["schemas"]["Job"];
        };
        /** @description A file as a form, with what is said of its Units. */
        FileUpload: {
            /** Format: binary */
            file: string;
            doc_id?: string;
            acl_groups?: string[];
            metadata?: components["schemas"]["Metadata"];
        };
        /** @description Files by time, newest first */
        FilesResult: {
            files: {
                file_id: string;
                doc_id: string;
                source_uri: string;
                name: string;
                kind: string;
                mime: string;
                bytes: number;
                sha256: string;
                scope: string;
                acl_owner: string;
                acl_groups: string[];
                metadata?: components["schemas"]["Metadata"];
                /** @description The version of the extractor of its kind that read it. */
                extractor: number;
                job: components["schemas"]["Job"] | null;
                created_at: number;
                updated_at: number;
                /** @description How many of its Units the caller may read. */
                unit_count: number;
            }[];
            context: components["schemas"]["Context"];
            next_cursor: number | null;
        };
        /** @description State of the service. */
        Health: {
            /** @enum {string} */
            status: "ok" | "degraded" | "down";
            service: string;
            version: string;
            time: string;
            bindings: {
                catalog: string;
                vector_index: string[];
                object_store: string;
                key_value: string;
                inference: boolean;
            };
        };
        /** @description A Unit with its place among what was found. */
        Hit: {
            unit_id: string;
            text?: string;
            modality: components["schemas"]["Modality"];
            plane: components["schemas"]["Plane"];
            namespace: string;
            scope: string;
            source_uri?: string;
            mime?: string;
            locator?: components["schemas"]["Locator"];
            doc_id?: string;
            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
            path?: string[];
            acl_owner: string;
            acl_groups: string[];
            metadata?: components["schemas"]["Metadata"];
            content_sha256: string | null;
            created_at: number;
            updated_at: number;
            rank: number;
            score: number;
            scores: components["schemas"]["Scores"];
            snippet: string | null;
            highlights: components["schemas"]["Span"][];
            /** @description The sentences of `text` that bear on the query most, as offsets. */
            evidence?: components["schemas"]["ScoredSpan"][];
            explain?: components["schemas"]["Explanation"];
        };
        /**
         * @description A batch of Units, stored whole or not at all.
         * @example {
         *       "units": [
         *         {
         *           "text": "Turbine 7 stopped at 04:12 after its main bearing overheated.",
         *           "modality": "chunk",
         *           "scope": "harbour/ops",
         *           "doc_id": "report-7",
         *           "path": [
         *             "Night report",
         *             "Turbines"
         *           ],
         *           "metadata": {
         *             "shift": "night"
         *           }
         *         }
         *       ]
         *     }
         */
        IngestRequest: {
            units: components["schemas"]["UnitDraft"][];
        };
        /** @description What became of each Unit of a batch that is durable and searchable. */
        IngestResult: {
            ingested: number;
            created: number;
            updated: number;
            unchanged: number;
            units: components["schemas"]["IngestedUnit"][];
            audit_seq: number;
        };
        /** @description What became of one Unit of a batch. */
        IngestedUnit: {
            index: number;
            unit_id: string;
            /** @enum {string} */
            status: "created" | "updated" | "unchanged";
        };
        /** @description Reading one file. `progress` is 0-1. */
        Job: {
            id: string;
            file_id: string;
            /** @enum {string} */
            state: "queued" | "running" | "done" | "failed";
            stage: string;
            progress: number;
            counts: {
                units: number;
                created: number;
            };
            notes: string[];
            error: {
                error: string;
                detail: string;
            } | null;
            created_at: number;
            updated_at: number;
        };
        /** @description The place of a Unit in one leg. `raw` is null where it is withheld. */
        LegScore: {
            leg: string;
            rank: number;
            raw: number | null;
        };
        /** @description Lines of a text or log, from 1; the end is included. */
        LineRange: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "line_range";
            start: number;
            end: number;
        };
        /** @description The part of its source that a Unit is. */
        Locator: components["schemas"]["TimeRange"] | components["schemas"]["BoundingBox"] | components["schemas"]["CharSpan"] | components["schemas"]["LineRange"];
        /** @description Facts about a Unit or file, for filters: a flat object. */
        Metadata: {
            [key: string]: string | number | boolean | string[];
        };
        /**
         * @description What a Unit was made of. Its plane follows from it, unless it is given.
         * @enum {string}
         */
        Modality: "text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection";
        /** @description The models inside the executable, with their licences */
        ModelsResult: {
            models: {
                name: string;
                /** @description What it does: text-embedding, reranking, entailment, speech-recognition and others. */
                task: string;
                dims: number | null;
                licence: string;
                bytes: number;
                /** @description False for one that this build leaves out. */
                included: boolean;
            }[];
        };
        /**
         * @description What a principal may do.
         * @enum {string}
         */
        Perm: "read" | "write" | "admin";
        /**
         * @description What of a source a Unit stands for, and is searched with: its text, what is seen, what is heard, a page.
         * @enum {string}
         */
        Plane: "text" | "visual" | "audio" | "doc_visual";
        /** @description One plane: its model, its vectors, and how many of them are indexed. */
        PlaneStats: {
            plane: components["schemas"]["Plane"];
            model: string;
            dims: number;
            metric: string;
            vectors: number;
            indexed: number;
            lag: number;
            /** @description Units that an index cannot take: `strata doctor` names them. */
            quarantined?: number;
            /** @description What is seen or heard in the Units of the plane, beside their text. */
            content?: {
                model: string;
                dims: number;
                metric: string;
                vectors: number;
            };
            /** @enum {string} */
            health: "green" | "yellow" | "red";
        };
        /** @description Who a token or session stands for. */
        Principal: {
            principal_id: string;
            namespace: string;
            read_only: boolean;
            groups: string[];
        };
        /** @description How many were removed. */
        Removed: {
            removed: number;
        };
        /** @description Which stored files to read again. */
        RereadRequest: {
            /** @description Go on behind this file: `next` of the call before. */
            after?: string;
            /** @description Also files of which Units were deleted one by one: these Units come back. Without it: false. */
            with_deleted?: boolean;
        };
        /** @description Files that are read again, and those that are not and why. */
        RereadResult: {
            files: {
                file_id: string;
                name: string;
                scope: string;
                job: components["schemas"]["Job"];
            }[];
            left_out: {
                file_id: string;
                name: string;
                scope: string;
                reason: string;
            }[];
            outdated: number;
            /** @description `after` of the next call; null: there are no more. */
            next: string | null;
        };
        /** @description A registered scope: a partition of a namespace, named by a path. */
        Scope: {
            scope: string;
            namespace: string;
            parent: string | null;
            planes: components["schemas"]["Plane"][];
            read_only_agents: boolean;
            created_at: number;
        };
        /** @description Registered scopes that the caller may use. */
        ScopeList: {
            scopes: components["schemas"]["Scope"][];
        };
        /** @description A part of a text with its relevance to the query, 0-1. */
        ScoredSpan: {
            start: number;
            end: number;
            score: number;
        };
        /** @description What the score of a hit is made of. */
        Scores: {
            fused: number;
            rerank: number | null;
            legs: components["schemas"]["LegScore"][];
        };
        /**
         * @description What is looked for.
         * @example {
         *       "q": "why did turbine 7 stop?",
         *       "top_k": 5
         *     }
         */
        SearchQuery: {
            q: string;
            /** @description Without it: 10. */
            top_k?: number;
            planes?: components["schemas"]["Plane"][];
            modalities?: components["schemas"]["Modality"][];
            /** @enum {string} */
            mode?: "hybrid" | "vector" | "fulltext";
            doc_id?: string;
            /** @constant */
            group_by?: "doc_id";
            /** @description With `group_by`, at most so many hits of each document. Without it: 1. */
            group_size?: number;
            /** @description What a place in each leg is worth; 1 by default. A leg of 0 is left out. */
            weights?: {
                vector?: number;
                fulltext?: number;
                labels?: number;
            };
            /** @description How much hits that are like ones before them fall behind. Without it: 0. */
            diversity?: number;
            /** @description Fields whose values are counted over the matches: those of filters that hold strings, and metadata.<key>. */
            facets?: string[];
            min_score?: number;
            rerank?: boolean;
            answer?: boolean;
            explain?: boolean;
            /** @description Mongo-style filter; see docs/search.md. */
            filters?: {
                [key: string]: unknown;
            };
        };
        /** @description Hits, best first; an answer, if the query wants one and the tier has it. */
        SearchResult: {
            hits: components["schemas"]["Hit"][];
            answer: components["schemas"]["Answer"] | null;
            /** @description By field; only when the query asks for facets. */
            facets?: {
                [key: string]: {
                    /** @description The most frequent values first. */
                    values: {
                        value: string | number | boolean;
                        count: number;
                    }[];
                    /** @description True: every match was counted. False: each count is a lower bound. */
                    exact: boolean;
                };
            };
            trace: components["schemas"]["Trace"];
            context: components["schemas"]["Context"];
            hidden_by_acl: number;
        };
        /** @description What the demo has: namespaces, principals, scopes, tokens and counts. */
        SeedResult: {
            namespaces: {
                namespace: string;
                tier: components["schemas"]["Tier"];
            }[];
            principals: {
                principal_id: string;
                namespace: string;
                perms: components["schemas"]["Perm"][];
                scopes: string[];
                groups: string[];
                read_only: boolean;
            }[];
            scopes: {
                namespace: string;
                scope: string;
            }[];
            tokens: {
                name: string;
                token: string;
                principal_id: string;
                namespace: string;
            }[];
            counts: {
                units: number;
                scopes: number;
                principals: number;
                tokens: number;
                by_plane: {
                    [key: string]: number;
                };
                by_modality: {
                    [key: string]: number;
                };
            };
        };
        /** @description Whom the session cookie stands for, and until when. */
        Session: {
            principal_id: string;
            namespace: string;
            expires_at: number;
        };
        /** @description Whether there was a session to end. */
        SessionEnded: {
            ended: boolean;
        };
        /** @description The API token to exchange for a session cookie. */
        SessionRequest: {
            token: string;
        };
        /** @description A Unit with its likeness to the example. */
        SimilarHit: {
            unit_id: string;
            text?: string;
            modality: components["schemas"]["Modality"];
            plane: components["schemas"]["Plane"];
            namespace: string;
            scope: string;
            source_uri?: string;
            mime?: string;
            locator?: components["schemas"]["Locator"];
            doc_id?: string;
            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
            path?: string[];
            acl_owner: string;
            acl_groups: string[];
            metadata?: components["schemas"]["Metadata"];
            content_sha256: string | null;
            created_at: number;
            updated_at: number;
            rank: number;
            score: number;
            scores: components["schemas"]["Scores"];
            snippet: string | null;
            highlights: components["schemas"]["Span"][];
            /** @description The sentences of `text` that bear on the query most, as offsets. */
            evidence?: components["schemas"]["ScoredSpan"][];
            explain?: components["schemas"]["Explanation"];
            /** @description Pictures alone: cosine of at least 0.75. */
            near_duplicate: boolean;
        };
        /** @description A Unit to compare with, and which Units to compare. */
        SimilarQuery: {
            unit_id?: string;
            /** @description Without it: 10. */
            top_k?: number;
            planes?: components["schemas"]["Plane"][];
            modalities?: components["schemas"]["Modality"][];
            doc_id?: string;
            min_score?: number;
            /** @description Mongo-style filter; see docs/search.md. */
            filters?: {
                [key: string]: unknown;
            };
        };
        /** @description The most similar Units, best first. */
        SimilarResult: {
            hits: components["schemas"]["SimilarHit"][];
            answer: null;
            trace: components["schemas"]["Trace"];
            context: components["schemas"]["Context"];
            hidden_by_acl: number;
        };
        /** @description A part of a text, as offsets in UTF-16 code units; the end is excluded. */
        Span: {
            start: number;
            end: number;
        };
        /**
         * @description What a namespace has subscribed to.
         * @enum {string}
         */
        Tier: "free" | "pro" | "enterprise";
        /** @description Milliseconds from the start of a sound or film. */
        TimeRange: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "time_range";
            t_start_ms: number;
            t_end_ms: number;
        };
        /** @description A token without its secret. */
        Token: {
            id: string;
            name: string;
            namespace: string;
            principal_id: string;
            perms: components["schemas"]["Perm"][];
            scopes: string[];
            groups: string[];
            read_only: boolean;
            created_at: number;
            /** @description Published with the product. */
            seeded: boolean;
            revoked_at: number | null;
        };
        /** @description A new token, with its secret this once. */
        TokenCreated: {
            id: string;
            name: string;
            namespace: string;
            principal_id: string;
            perms: components["schemas"]["Perm"][];
            scopes: string[];
            groups: string[];
            read_only: boolean;
            created_at: number;
            /** @description The secret, shown this once. */
            token: string;
        };
        /** @description Tokens, live and revoked, without their secrets. */
        TokenList: {
            tokens: components["schemas"]["Token"][];
        };
        /**
         * @description A token to make, with its principal where that is new.
         * @example {
         *       "name": "importer",
         *       "principal_id": "importer",
         *       "perms": [
         *         "read",
         *         "write"
         *       ],
         *       "scopes": [
         *         "harbour"
         *       ]
         *     }
         */
        TokenRequest: {
            name: string;
            principal_id: string;
            /** @description Of a new principal; read without it. */
            perms?: components["schemas"]["Perm"][];
            /** @description Each with all below it; all without it. */
            scopes?: string[];
            active_scope?: string;
            groups?: string[];
            read_only?: boolean;
        };
        /** @description How the query was worked on, with times in milliseconds and what was left out. */
        Trace: {
            total_ms: number;
            stages: {
                name: string;
                ms: number;
                in: number;
                out: number;
            }[];
            fusion: {
                method: string;
                k: number;
            };
            planes: components["schemas"]["Plane"][];
            warnings: string[];
            rounds?: {
                round: number;
                queries: string[];
                candidates: number;
                scored: number;
                best: number | null;
                ms: number;
                outcome: string;
            }[];
        };
        /** @description The smallest thing that is stored, searched and cited. */
        Unit: {
            unit_id: string;
            text?: string;
            modality: components["schemas"]["Modality"];
            plane: components["schemas"]["Plane"];
            namespace: string;
            scope: string;
            source_uri?: string;
            mime?: string;
            locator?: components["schemas"]["Locator"];
            doc_id?: string;
            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
            path?: string[];
            acl_owner: string;
            acl_groups: string[];
            metadata?: components["schemas"]["Metadata"];
            content_sha256: string | null;
            created_at: number;
            updated_at: number;
        };
        /** @description A Unit to store. It has a text, a source or both. */
        UnitDraft: {
            /** @description Embedded and full-text indexed; at most 256 KiB. */
            text?: string;
            modality: components["schemas"]["Modality"];
            plane?: components["schemas"]["Plane"];
            scope?: string;
            source_uri?: string;
            mime?: string;
            locator?: components["schemas"]["Locator"];
            doc_id?: string;
            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
            path?: string[];
            acl_owner?: string;
            acl_groups?: string[];
            metadata?: components["schemas"]["Metadata"];
        };
        /** @description A page of Units; `next_cursor` is the `cursor` of the next one, null behind the last. */
        UnitPage: {
            units: components["schemas"]["Unit"][];
            hidden_by_acl: number;
            context: components["schemas"]["Context"];
            next_cursor: number | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    health: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description State of the service */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    context: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resolved enforcement context */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    scopes: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Registered scopes that the caller may use */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopeList"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeScope: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Scope path: 1-8 segments of letters, digits, ".", "_" or "-" (at most 64 each, none "." or ".."), joined by "/". Slashes may stand as they are. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removes an empty scope */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removed"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    search: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchQuery"];
            };
        };
        responses: {
            /** @description Hybrid search */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    answer: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerQuery"];
            };
        };
        responses: {
            /** @description A grounded, cited answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerResult"];
                    "text/event-stream": {
                        /** @constant */
                        event: "search";
                        data: {
                            hits: components["schemas"]["Hit"][];
                            /** @description By field; only when the query asks for facets. */
                            facets?: {
                                [key: string]: {
                                    /** @description The most frequent values first. */
                                    values: {
                                        value: string | number | boolean;
                                        count: number;
                                    }[];
                                    /** @description True: every match was counted. False: each count is a lower bound. */
                                    exact: boolean;
                                };
                            };
                            trace: components["schemas"]["Trace"];
                            context: components["schemas"]["Context"];
                        };
                    } | {
                        /** @constant */
                        event: "claim";
                        data: {
                            /** @description Its place among the claims. 0 begins the answer anew: what was told of it before no longer holds. */
                            index: number;
                            /** @description The text of the answer up to here, in which the offsets of the claim count. */
                            text: string;
                            claim: components["schemas"]["Claim"];
                            /** @description Those that the claim names. */
                            citations: components["schemas"]["Citation"][];
                        };
                    } | {
                        /** @constant */
                        event: "final";
                        data: components["schemas"]["AnswerResult"];
                    } | {
                        /** @constant */
                        event: "error";
                        data: components["schemas"]["Error"];
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upgrade_required */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    similar: {
        parameters: {
            query?: {
                /** @description Name of the file when it is the whole body. */
                name?: string;
                /** @description For a picture or sound as the body; a JSON body has it inside */
                top_k?: number;
                /** @description For a picture or sound as the body; a JSON body has it inside; repeated or separated by commas */
                planes?: components["schemas"]["Plane"][];
                /** @description For a picture or sound as the body; a JSON body has it inside; repeated or separated by commas */
                modalities?: components["schemas"]["Modality"][];
                /** @description For a picture or sound as the body; a JSON body has it inside */
                doc_id?: string;
                /** @description For a picture or sound as the body; a JSON body has it inside */
                min_score?: number;
                /** @description For a picture or sound as the body; a JSON body has it inside; as JSON; Mongo-style filter; see docs/search.md. */
                filters?: string;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description The same, where the query string names none. */
                "X-File-Name"?: string;
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimilarQuery"];
                "multipart/form-data": components["schemas"]["FileUpload"];
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Units like a Unit, or like the picture or sound in the body */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimilarResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    units: {
        parameters: {
            query?: {
                /** @description Rows of a page; more than 100 counts as 100. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
                /** @description `created_at`: the oldest first, the default; `-created_at`: the newest. */
                sort?: "created_at" | "-created_at";
                /** @description In place of a page these Units, in this order; those that do not exist, or are hidden, are missing. */
                ids?: string[];
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Units by time, or by their ids */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnitPage"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unit: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One Unit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unit"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeUnit: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes one Unit; with the last one of a file, the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removed"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    preview: {
        parameters: {
            query?: {
                /** @description Longer side of the picture in pixels. */
                size?: number;
                /** @description Of a Unit with a box: the page or picture that the box lies on, instead of what is in it. */
                whole?: boolean;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A picture of a Unit: the page, the crop, the frame, the waveform */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    ingest: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description The same key with the same body is answered again and stored once, for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestRequest"];
            };
        };
        responses: {
            /** @description Stores a batch of Units, whole or not at all */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upgrade_required or quota_exceeded */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    files: {
        parameters: {
            query?: {
                /** @description Rows of a page; more than 100 counts as 100. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
                /** @description Those whose last job is in this state. */
                state?: "queued" | "running" | "done" | "failed";
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Files by time, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putFile: {
        parameters: {
            query?: {
                /** @description Name of the file when it is the whole body. */
                name?: string;
                /** @description Answer when the Units are searchable. */
                wait?: boolean;
                /** @description Groups the Units; without it, the id of the file. For a whole body; a form has fields. */
                doc_id?: string;
                /** @description Groups that may read the Units: repeated, separated by commas, or a JSON array. */
                acl_groups?: string;
                /** @description Metadata of all its Units, as a JSON object. */
                metadata?: string;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description The same, where the query string names none. */
                "X-File-Name"?: string;
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["FileUpload"];
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Takes a file in and makes Units of it; with wait=true, answers when they are searchable */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileAccepted"];
                };
            };
            /** @description Takes a file in and makes Units of it; with wait=true, answers when they are searchable */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileAccepted"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upgrade_required or quota_exceeded */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    file: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file and its Units */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeFile: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a file with its Units */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removed"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    fileContent: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description One range of bytes, such as bytes=0-1023. */
                Range?: string;
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of a file; takes a Range */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The bytes of a file; takes a Range */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description range_not_satisfiable */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    job: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far the work on a file is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stats: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Catalog stats over what the caller may read */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogStats"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    models: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models inside the executable, with their licences */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    audit: {
        parameters: {
            query?: {
                /** @description Rows of a page; more than 100 counts as 100. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Rows of the audit chain, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upgrade_required */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verify: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Recomputes the audit chain */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditReport"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    seed: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description (Re)seeds the demo: open until a token exists, then for admins of the namespace demo */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeedResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description quota_exceeded */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reread: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RereadRequest"];
            };
        };
        responses: {
            /** @description Reads stored files again that older extractors read, a page of files a call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RereadResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tokens: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description API tokens, live and revoked, without their secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenList"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description Makes an API token, and its principal when that is new; never with more than the caller has */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenCreated"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upgrade_required */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revokes an API token, and ends the sessions made from it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionRequest"];
            };
        };
        responses: {
            /** @description Exchanges an API token for a console session cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    closeSession: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ends the session of the cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEnded"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}

// Watches an address, suspends it for a deployment, and saves a report.
// LATARNIK_URL=https://latarnik.example.com LATARNIK_TOKEN=lat_… go run journey.go shop.example.com/
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

type object = map[string]any

type problem struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// send returns the body of the answer, or ends the program with the problems.
func send(method, path string, body any) []byte {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		check(err)
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, os.Getenv("LATARNIK_URL")+"/v3"+path, content)
	check(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("LATARNIK_TOKEN"))
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(request)
	check(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	check(err)
	if answer.StatusCode >= 300 {
		var problems []problem
		check(json.Unmarshal(text, &problems))
		log.Fatalf("%s %s: %s %v", method, path, answer.Status, problems)
	}
	return text
}

func call[Answer any](method, path string, body any) Answer {
	var answer Answer
	check(json.Unmarshal(send(method, path, body), &answer))
	return answer
}

type created struct {
	ID int `json:"id"`
}

func create(path string, body object) int {
	return call[created]("POST", path, body).ID
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func after(seconds time.Duration) string {
	return time.Now().UTC().Add(seconds * time.Second).Format(time.RFC3339)
}

// wait reads a member of an object until its value is none of these.
func wait(path, member string, unfinished ...string) string {
	for {
		time.Sleep(time.Second)
		value := call[object]("GET", path, nil)[member].(string)
		isFinished := true
		for _, one := range unfinished {
			isFinished = isFinished && value != one
		}
		if isFinished {
			return value
		}
	}
}

func main() {
	group := create("/groups", object{"name": "Shop"})
	service := create("/services", object{
		"name": "Front page", "type_id": "http", "address": os.Args[1], "group_id": group,
	})
	fmt.Println("Front page:", wait(fmt.Sprintf("/service_statuses/%d", service), "summary", "unknown"))

	type change struct {
		StartTime string `json:"start_time"`
		Status    string `json:"status"`
	}
	history := fmt.Sprintf("/services/%d/history", service)
	for _, one := range call[[]change]("GET", history+"/status_changes?sort=-start_time&limit=10", nil) {
		fmt.Println(one.StartTime, one.Status)
	}
	level := call[struct{ Ok, Failure, Paused int }]("GET", history+"/service_level", nil)
	fmt.Printf("%d s ok, %d s failure, %d s paused\n", level.Ok, level.Failure, level.Paused)

	create("/suspensions", object{"service_id": service, "end_time": after(900), "description": "Deployment"})

	scope := object{"services": object{"by_group_id": []int{group}}}
	template := create("/report_templates", object{"name": "Shop", "requested_scope": scope})
	report := create("/reports", object{"template_id": template, "from": after(-86400), "to": after(0)})
	path := fmt.Sprintf("/reports/%d", report)
	status := wait(path, "status", "pending", "in_progress")
	check(os.WriteFile("report.pdf", send("GET", path+"/pdf", nil), 0o644))
	fmt.Println("Report:", status)
}
